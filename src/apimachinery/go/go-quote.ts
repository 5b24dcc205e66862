/** The characters that `%q` does not escape: letters, marks, numbers, punctuation, symbols, and the ASCII space. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

const ESCAPED = new Map<number, string>([
  [0x07, "\\a"],
  [0x08, "\\b"],
  [0x0c, "\\f"],
  [0x0a, "\\n"],
  [0x0d, "\\r"],
  [0x09, "\\t"],
  [0x0b, "\\v"],
  [0x22, '\\"'],
  [0x5c, "\\\\"],
]);

/** Texts that need no escapes: printable ASCII without quotes and backslashes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Formats a string as Go's `%q` does. */
export function goQuote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += quoteCharacter(character);
  return `${quoted}"`;
}

/** Go's `strconv.IsPrint` for one character. */
export function isPrintable(character: string): boolean {
  return PRINTABLE.test(character);
}

function quoteCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const escaped = ESCAPED.get(code);
  if (escaped !== undefined) return escaped;
  // A byte that is not UTF-8, see decodeUtf8KeepingBytes.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`;
  // Go strings hold UTF-8, where an unpaired surrogate becomes the replacement character.
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  if (PRINTABLE.test(character)) return character;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}

/** Formats a list of strings as Go's `%q` does. */
export function goQuotedList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(" ")}]`;
}
