/** The types of control frames that this server reads or writes (SPDY protocol, draft 3.1, section 2.6). */
export const frameTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  ping: 6,
  goAway: 7,
  headers: 8,
} as const;

/** The statuses of RST_STREAM. */
export const resetStatus = { protocolError: 1, refusedStream: 3, cancel: 5 } as const;

/** The flag of a stream's last frame. */
export const finFlag = 1;

/** The first eight bytes of a frame. */
export interface FrameHead {
  /** Undefined for a frame of data. */
  readonly type: number | undefined;
  /** The stream, for a frame of data. */
  readonly stream: number;
  readonly flags: number;
  readonly length: number;
}

const controlBit = 0x8000_0000;
const version = 3;

/** Reads the head of a frame; undefined if it has another version. */
export function readFrameHead(bytes: Uint8Array): FrameHead | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = view.getUint32(0);
  const second = view.getUint32(4);
  const head = { flags: second >>> 24, length: second & 0xff_ffff };
  if (first < controlBit) return { type: undefined, stream: first, ...head };
  if (((first >>> 16) & 0x7fff) !== version) return undefined;
  return { type: first & 0xffff, stream: 0, ...head };
}

/** A frame of data. */
export function dataFrame(stream: number, payload: Uint8Array, flags: number): Uint8Array {
  const frame = new Uint8Array(8 + payload.byteLength);
  const view = new DataView(frame.buffer);
  view.setUint32(0, stream);
  view.setUint32(4, payload.byteLength);
  view.setUint8(4, flags);
  frame.set(payload, 8);
  return frame;
}

/** A control frame: numbers of four bytes, and a block of headers. */
export function controlFrame(
  type: number,
  numbers: readonly number[],
  block: Uint8Array = new Uint8Array(),
): Uint8Array {
  const length = 4 * numbers.length + block.byteLength;
  const frame = new Uint8Array(8 + length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, controlBit + version * 0x1_0000 + type);
  view.setUint32(4, length);
  for (const [index, number] of numbers.entries()) view.setUint32(8 + 4 * index, number);
  frame.set(block, 8 + 4 * numbers.length);
  return frame;
}
