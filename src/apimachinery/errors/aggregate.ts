/** Errors as one text, without duplicates, as `utilerrors.Aggregate` in Go. Empty without errors. */
export function aggregateText(errors: readonly string[]): string {
  const texts = [...new Set(errors)];
  return texts.length <= 1 ? texts.join() : `[${texts.join(", ")}]`;
}
