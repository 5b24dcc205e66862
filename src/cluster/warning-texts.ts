/** The texts of the Warning headers of an answer. */
export function warningTexts(
  headers: readonly (readonly [name: string, value: string])[],
): readonly string[] {
  return headers.filter(([name]) => name === "Warning").map(([, value]) => textOf(value));
}

/** The text of `299 - "text"`. */
function textOf(value: string): string {
  return value.slice(value.indexOf('"') + 1, -1).replace(/\\(.)/gs, "$1");
}
