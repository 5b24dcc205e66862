const encoder = new TextEncoder();

/** Encodes a text in UTF-8. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The length of a text in bytes of UTF-8, as Go's `len`. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate pair has four bytes. An unpaired surrogate is encoded as the replacement character.
    length += unit < 0x800 || isPair(text, i) ? 1 : 2;
  }
  return length;
}

/** Whether the unit at `i` belongs to a complete surrogate pair. */
function isPair(text: string, i: number): boolean {
  const unit = text.charCodeAt(i);
  if (unit < 0xd800 || unit > 0xdfff) return false;
  if (unit < 0xdc00) return isLowSurrogate(text.charCodeAt(i + 1));
  const previous = text.charCodeAt(i - 1);
  return previous >= 0xd800 && previous < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
