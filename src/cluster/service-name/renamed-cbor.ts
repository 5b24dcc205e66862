import { concatenate } from "../../apimachinery/bytes.ts";
import { additional, majorType, tags } from "../../codec/cbor/cbor-head.ts";
import { type Renaming, renamedText } from "./renaming.ts";

/** The tags of byte strings that are data. All others are texts. */
const dataTags: readonly number[] = [tags.laterBase64Url, tags.laterBase64, tags.laterBase16];

/**
 * Whole items of CBOR with other names. Arrays and maps state the number of their items and not their size, so only the heads of
 * texts change. What is malformed stays, for the decoder to refuse.
 */
export function renamedCbor(bytes: Uint8Array, rename: Renaming): Uint8Array {
  const pieces: Uint8Array[] = [];
  let copied = 0;
  let at = 0;
  let isData = false;
  while (at < bytes.length) {
    const head = headAt(bytes, at);
    if (head === undefined) break;
    const { major, argument, end } = head;
    at = end;
    if (major === majorType.byteString || major === majorType.textString) {
      const text = bytes.subarray(end, end + argument);
      const renamed: Uint8Array = isData ? text : renamedText(text, rename);
      if (renamed !== text && text.length === argument) {
        pieces.push(bytes.subarray(copied, head.start), headOf(major, renamed.length), renamed);
        copied = end + argument;
      }
      at = end + argument;
    }
    isData = major === majorType.tag && dataTags.includes(argument);
  }
  return pieces.length === 0 ? bytes : concatenate([...pieces, bytes.subarray(copied)]);
}

interface Head {
  readonly major: number;
  /** 0 for an item of indefinite length. */
  readonly argument: number;
  readonly start: number;
  readonly end: number;
}

/** Undefined at the end of the bytes. */
function headAt(bytes: Uint8Array, start: number): Head | undefined {
  const first = bytes[start] ?? 0;
  const [major, info] = [first >> 5, first & 0x1f];
  if (info < additional.oneByte) return { major, argument: info, start, end: start + 1 };
  if (info > additional.float64) return { major, argument: 0, start, end: start + 1 };
  const end = start + 1 + 2 ** (info - additional.oneByte);
  if (end > bytes.length) return undefined;
  let argument = 0;
  for (let at = start + 1; at < end; at++) argument = argument * 256 + (bytes[at] ?? 0);
  return { major, argument, start, end };
}

function headOf(major: number, length: number): Uint8Array {
  const type = major << 5;
  if (length < additional.oneByte) return Uint8Array.of(type | length);
  if (length < 0x100) return Uint8Array.of(type | additional.oneByte, length);
  const head = new DataView(new ArrayBuffer(length < 0x10000 ? 3 : 5));
  if (length < 0x10000) head.setUint16(1, length);
  else head.setUint32(1, length);
  head.setUint8(0, type | (additional.oneByte + (length < 0x10000 ? 1 : 2)));
  return new Uint8Array(head.buffer);
}
