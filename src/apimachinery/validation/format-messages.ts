import { utf8Length } from "../utf8.ts";

/** The messages of a valid text: none. */
export const VALID: readonly string[] = Object.freeze([]);

/** The message for a text in the wrong format. The two spaces before `or` are upstream's. */
export function formatError(message: string, format: string, examples: readonly string[]): string {
  const listed = examples.map((example) => `'${example}', `).join(" or ");
  return `${message} (${listed === "" ? "" : `e.g. ${listed}`}regex used for validation is '${format}')`;
}

/** The message for a number out of range. */
export function inclusiveRange(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** The message for a text of more than `maximum` bytes. */
export function tooLong(text: string, maximum: number): readonly string[] {
  return exceeds(text, maximum) ? [`must be no more than ${maximum} characters`] : VALID;
}

/** Whether the text has more than `maximum` bytes of UTF-8. */
export function exceeds(text: string, maximum: number): boolean {
  if (text.length > maximum) return true;
  return text.length * 3 > maximum && utf8Length(text) > maximum;
}
