/**
 * What an error says, of whichever realm it is (Jest has its own `Error`); anything else that was thrown, as text. A function of a test may
 * throw anything, even what has no text.
 */
export function messageOf(thrown: unknown): string {
  try {
    return String((thrown as { readonly message?: unknown } | null | undefined)?.message ?? thrown);
  } catch {
    return "an error without a text";
  }
}
