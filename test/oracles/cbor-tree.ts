/** The structure of a CBOR item, without its meaning. */
export interface CborItem {
  readonly major: number;
  /** The last five bits of the first byte. */
  readonly info: number;
  readonly argument: bigint;
  readonly bytes: Uint8Array;
  readonly children: readonly CborItem[];
}

const indefinite = 31;
const breakByte = 0xff;
/** Deeper than any item that the tests generate. */
const maxDepth = 100;

/** Parses the item at the start of the bytes; undefined if it is malformed. */
export function cborItem(bytes: Uint8Array, depth = 0): CborItem | undefined {
  const first = bytes[0];
  if (first === undefined || depth > maxDepth) return undefined;
  const [major, info] = [first >> 5, first & 31];
  if (info > 27 && info < indefinite) return undefined;
  if (info === indefinite) return indefiniteItem(bytes, major, depth);
  const size = info < 24 ? 0 : 2 ** (info - 24);
  if (bytes.length <= size) return undefined;
  const argument =
    info < 24 ? BigInt(info) : bytes.slice(1, 1 + size).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const head = { major, info, argument };
  if (major === 2 || major === 3) {
    const end = BigInt(1 + size) + argument;
    return end > bytes.length ? undefined : { ...head, bytes: bytes.subarray(0, Number(end)), children: [] };
  }
  const count = major === 6 ? 1n : [argument, 2n * argument][major - 4];
  if (count === undefined || major === 7)
    return { ...head, bytes: bytes.subarray(0, 1 + size), children: [] };
  if (count > bytes.length) return undefined;
  const children: CborItem[] = [];
  let at = 1 + size;
  while (children.length < count) {
    const child = cborItem(bytes.subarray(at), depth + 1);
    if (child === undefined) return undefined;
    children.push(child);
    at += child.bytes.length;
  }
  return { ...head, bytes: bytes.subarray(0, at), children };
}

function indefiniteItem(bytes: Uint8Array, major: number, depth: number): CborItem | undefined {
  if (major < 2 || major > 5) return undefined;
  const children: CborItem[] = [];
  let at = 1;
  while (bytes[at] !== breakByte) {
    const child = cborItem(bytes.subarray(at), depth + 1);
    if (child === undefined) return undefined;
    if (major < 4 && (child.major !== major || child.info === indefinite)) return undefined;
    children.push(child);
    at += child.bytes.length;
  }
  if (major === 5 && children.length % 2 === 1) return undefined;
  return { major, info: indefinite, argument: 0n, bytes: bytes.subarray(0, at + 1), children };
}

/** All items in an item, children before their parents. */
export function itemsInside(item: CborItem): readonly CborItem[] {
  return [...item.children.flatMap(itemsInside), item];
}
