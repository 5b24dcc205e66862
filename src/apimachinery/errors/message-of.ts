/** What an error says, of whichever realm it is (Jest has its own `Error`); anything else that was thrown, as text. */
export function messageOf(thrown: unknown): string {
  return String((thrown as { readonly message?: unknown } | null | undefined)?.message ?? thrown);
}
