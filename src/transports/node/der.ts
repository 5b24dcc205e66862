/** The ASN.1 tags that certificates use. */
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** A value in DER: tag, length, content. */
export function der(tag: keyof typeof tags, ...contents: readonly Uint8Array[]): Buffer {
  return tagged(tags[tag], contents);
}

/** A value with a context-specific tag; `constructed` means that it consists of other values. */
export function contextual(number: number, form: "primitive" | "constructed", content: Uint8Array): Buffer {
  return tagged((form === "constructed" ? 0xa0 : 0x80) | number, [content]);
}

/** An object identifier from its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der("objectIdentifier", Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function tagged(tag: number, contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content)]), content]);
}

function lengthOf(content: Uint8Array): readonly number[] {
  const length = content.byteLength;
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function base128(value: number): readonly number[] {
  const digits = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
