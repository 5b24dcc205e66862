import { concatenate } from "./bytes.ts";

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
export function derValue(tag: keyof typeof tags, ...contents: readonly Uint8Array[]): Uint8Array {
  return tagged(tags[tag], contents);
}

export function derSequence(...contents: readonly Uint8Array[]): Uint8Array {
  return tagged(tags.sequence, contents);
}

/** A value with a context-specific tag; `constructed` means that it consists of other values. */
export function contextual(
  number: number,
  form: "primitive" | "constructed",
  content: Uint8Array,
): Uint8Array {
  return tagged((form === "constructed" ? 0xa0 : 0x80) | number, [content]);
}

/** An object identifier from its dotted form. */
export function objectIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return derValue("objectIdentifier", Uint8Array.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A text in UTF-8, as in names. */
export function utf8String(text: string): Uint8Array {
  return derValue("utf8String", new TextEncoder().encode(text));
}

function tagged(tag: number, contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const head = Uint8Array.from([tag, ...lengthOf(length)]);
  return concatenate([head, ...contents], head.byteLength + length);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest & 0xff);
  return [0x80 | digits.length, ...digits];
}

function base128(value: number): readonly number[] {
  const digits = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
