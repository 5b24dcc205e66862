/** Runs all checks. @throws {Error} of the check that fails; an AggregateError if several do */
export function runChecks(checks: readonly (() => void)[]): void {
  const errors = checks.flatMap((check) => errorOf(check) ?? []);
  const [first, ...others] = errors;
  if (others.length > 0) throw new AggregateError(errors, errors.map(({ message }) => message).join("\n"));
  if (first !== undefined) throw first;
}

function errorOf(check: () => void): Error | undefined {
  try {
    check();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  return undefined;
}
