/** An element of DER: its tag and its content. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The whole element, with its tag and length. */
  readonly raw: Uint8Array;
}

/** The tags that occur in certificates and keys. */
export const derTags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Splits bytes into consecutive elements. @throws {RangeError} for a truncated element or a length that is not DER */
export function derElements(bytes: Uint8Array): DerElement[] {
  const found: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { length, start } = lengthAt(bytes, at + 1);
    if (!(start + length <= bytes.length)) throw new RangeError("DER element is cut off");
    const end = start + length;
    found.push({ tag: bytes[at] ?? 0, content: bytes.subarray(start, end), raw: bytes.subarray(at, end) });
    at = end;
  }
  return found;
}

/**
 * The length at a position and where the content starts. Go (cryptobyte, `readASN1`) accepts only the shortest form, of at
 * most four bytes.
 */
function lengthAt(bytes: Uint8Array, at: number): { readonly length: number; readonly start: number } {
  const first = bytes[at] ?? 0xff;
  if (first < 0x80) return { length: first, start: at + 1 };
  const start = at + 1 + (first & 0x7f);
  const digits = bytes.subarray(at + 1, start);
  const length = digits.reduce((sum, digit) => sum * 0x100 + digit, 0);
  const isShortest = length >= 0x80 && digits[0] !== 0;
  if (!isShortest || digits.length > 4) throw new RangeError("DER length is not the shortest");
  return { length, start };
}

/** The content of an element. @throws {RangeError} if the element is missing or has another tag */
export function derContent(element: DerElement | undefined, tag: number): Uint8Array {
  if (element?.tag !== tag) throw new RangeError(`no DER element of tag ${tag}`);
  return element.content;
}

/** An object identifier in its dotted form. */
export function dottedIdentifier(content: Uint8Array): string {
  const [first = 0] = content;
  const numbers = [Math.floor(first / 40), first % 40];
  let value = 0;
  for (const byte of content.subarray(1)) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(value);
      value = 0;
    }
  }
  return numbers.join(".");
}

/** Two hexadecimal digits for each byte. */
export function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
