import { Reader } from "protobufjs/minimal.js";
import { tagOf, varintSize, wireType, writeVarint } from "./wire.ts";

/** The length before each frame: four bytes, the most significant first. */
const prefixLength = 4;

const typeTag = tagOf(1, wireType.bytes);
const objectTag = tagOf(2, wireType.bytes);
const rawTag = tagOf(1, wireType.bytes);

/**
 * The frame of a watch event in a stream: its length, then the event's message without an envelope. `document` is the
 * object as encoded by `encodeProtobuf`.
 */
export function encodeWatchFrame(type: string, document: Uint8Array): Uint8Array {
  // The object is the only field of a RawExtension.
  const objectLength = 1 + varintSize(document.length) + document.length;
  const eventLength = 2 + type.length + 1 + varintSize(objectLength) + objectLength;
  const frame = new Uint8Array(prefixLength + eventLength);
  new DataView(frame.buffer).setUint32(0, eventLength);
  let at = prefixLength;
  frame[at++] = typeTag;
  frame[at++] = type.length;
  // Types are ASCII.
  for (let i = 0; i < type.length; i++) frame[at++] = type.charCodeAt(i);
  frame[at++] = objectTag;
  at = writeVarint(frame, at, objectLength);
  frame[at++] = rawTag;
  at = writeVarint(frame, at, document.length);
  frame.set(document, at);
  return frame;
}

/** The event of a frame without its length, for WebSockets, which have their own frames. */
export function unframedEvent(frame: Uint8Array): Uint8Array {
  return frame.subarray(prefixLength);
}

/** The frame of an object instead of an event: its length, then the object as encoded by `encodeProtobuf`. */
export function framedDocument(document: Uint8Array): Uint8Array {
  const frame = new Uint8Array(prefixLength + document.length);
  new DataView(frame.buffer).setUint32(0, document.length);
  frame.set(document, prefixLength);
  return frame;
}

/** The end of the first frame; undefined while the frame is incomplete. */
export function watchFrameEnd(bytes: Uint8Array): number | undefined {
  if (bytes.length < prefixLength) return undefined;
  const end = prefixLength + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  return end <= bytes.length ? end : undefined;
}

/** Decodes a frame: the type of its event, and the object as encoded by `encodeProtobuf`. */
export function readWatchFrame(frame: Uint8Array): { readonly type: string; readonly document: Uint8Array } {
  const event = fieldsOf(unframedEvent(frame));
  const extension = fieldsOf(event.get(objectTag) ?? nothing);
  return { type: text.decode(event.get(typeTag)), document: extension.get(rawTag) ?? nothing };
}

const nothing = new Uint8Array(0);
const text = new TextDecoder();

/** The fields of a message with only strings and messages, by tag. */
function fieldsOf(message: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  const reader = Reader.create(message);
  while (reader.pos < reader.len) fields.set(reader.tag(), reader.bytes());
  return fields;
}
