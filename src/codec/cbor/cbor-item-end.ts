import { additional, breakByte, majorType } from "./cbor-head.ts";

/** The end of the item that starts at `start`; undefined while the item is incomplete. Checks only lengths. */
export function cborItemEnd(bytes: Uint8Array, start: number): number | undefined {
  const first = bytes[start];
  if (first === undefined) return undefined;
  const major = first >> 5;
  const info = first & 0x1f;
  if (info === additional.indefinite) return indefiniteEnd(bytes, start + 1);
  const head = headOf(bytes, start, info);
  if (head === undefined) return undefined;
  const { argument, end } = head;
  switch (major) {
    case majorType.byteString:
    case majorType.textString:
      return end + argument <= bytes.length ? end + argument : undefined;
    case majorType.array:
      return itemsEnd(bytes, end, argument);
    case majorType.map:
      return itemsEnd(bytes, end, 2 * argument);
    case majorType.tag:
      return cborItemEnd(bytes, end);
    default:
      return end;
  }
}

function headOf(bytes: Uint8Array, start: number, info: number) {
  if (info < additional.oneByte) return { argument: info, end: start + 1 };
  const end = start + 1 + 2 ** (info - additional.oneByte);
  if (end > bytes.length) return undefined;
  let argument = 0;
  for (let at = start + 1; at < end; at++) argument = argument * 256 + (bytes[at] ?? 0);
  return { argument, end };
}

function itemsEnd(bytes: Uint8Array, start: number, count: number): number | undefined {
  let at: number | undefined = start;
  for (let left = count; left > 0 && at !== undefined; left--) at = cborItemEnd(bytes, at);
  return at;
}

function indefiniteEnd(bytes: Uint8Array, start: number): number | undefined {
  let at: number | undefined = start;
  while (at !== undefined && bytes[at] !== breakByte) at = cborItemEnd(bytes, at);
  return at === undefined ? undefined : at + 1;
}
