/** The layout of the value after a tag. */
export const wireType = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

export type WireType = 0 | 1 | 2 | 3 | 4 | 5;

/** The tag before a value: its field number and wire type. */
export function tagOf(field: number, wire: WireType): number {
  return (field << 3) | wire;
}

/** The start of every document: `k8s` and the number of the encoding. */
export const magic: Uint8Array = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** Whether the bytes start with the magic number. */
export function isDocument(bytes: Uint8Array): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

/** The first second of the year 1, which is Go's zero time. */
export const unsetSeconds = -62_135_596_800;

/** The number of bytes of a varint. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

/** Writes a varint at `offset` and returns the offset after it. */
export function writeVarint(bytes: Uint8Array, offset: number, value: number): number {
  let rest = value;
  let position = offset;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[position++] = (rest % 0x80) | 0x80;
  bytes[position++] = rest;
  return position;
}
