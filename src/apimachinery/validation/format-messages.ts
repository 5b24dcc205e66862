import { utf8Length } from "../utf8.ts";

/** No message: the text is fine. */
export const VALID: readonly string[] = Object.freeze([]);

/** The message of a text that does not have a format, as upstream words it: two spaces before `or` are upstream's. */
export function formatError(message: string, format: string, examples: readonly string[]): string {
  const listed = examples.map((example) => `'${example}', `).join(" or ");
  return `${message} (${listed === "" ? "" : `e.g. ${listed}`}regex used for validation is '${format}')`;
}

/** The message of a number outside its range. */
export function inclusiveRange(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** The message of a text of more than `maximum` bytes, if it is one. */
export function tooLong(text: string, maximum: number): readonly string[] {
  return exceeds(text, maximum) ? [`must be no more than ${maximum} characters`] : VALID;
}

/** Whether the text has more than `maximum` bytes of UTF-8. */
export function exceeds(text: string, maximum: number): boolean {
  if (text.length > maximum) return true;
  return text.length * 3 > maximum && utf8Length(text) > maximum;
}
