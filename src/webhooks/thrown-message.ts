/** What an error of a test's function says. A function may throw anything, also what has no text. */
export function thrownMessage(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return "an error without a text";
  }
}
