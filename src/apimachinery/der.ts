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

/** Splits bytes into consecutive elements. @throws {RangeError} for a truncated element */
export function derElements(bytes: Uint8Array): DerElement[] {
  const found: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0xff;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + lengthBytes;
    const length =
      lengthBytes === 0 ? first : Number.parseInt(hexadecimal(bytes.subarray(at + 2, start)), 16);
    if (!(start + length <= bytes.length)) throw new RangeError("DER element is cut off");
    const end = start + length;
    found.push({ tag, content: bytes.subarray(start, end), raw: bytes.subarray(at, end) });
    at = end;
  }
  return found;
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
