import { Reader } from "protobufjs/minimal.js";
import { tagOf, varintSize, wireType, writeVarint } from "./wire.ts";

/** The length before each frame: four bytes, the most significant first. */
const prefixLength = 4;

const typeTag = tagOf(1, wireType.bytes);
const objectTag = tagOf(2, wireType.bytes);
const rawTag = tagOf(1, wireType.bytes);

/**
 * The frame of a watch event in a stream: its length, then the event's message. `document` is the object as
 * `encodeProtobuf` gives it. In a stream the event itself has no envelope.
 */
export function encodeWatchFrame(type: string, document: Uint8Array): Uint8Array {
  // The object stands in a RawExtension, of which it is the only field.
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

/** The event of a frame alone, as WebSockets send it: they have frames of their own. */
export function unframedEvent(frame: Uint8Array): Uint8Array {
  return frame.subarray(prefixLength);
}

/** An object in the place of an event: its length, then the object as `encodeProtobuf` gives it. */
export function framedDocument(document: Uint8Array): Uint8Array {
  const frame = new Uint8Array(prefixLength + document.length);
  new DataView(frame.buffer).setUint32(0, document.length);
  frame.set(document, prefixLength);
  return frame;
}

/** Where the first frame ends; undefined while bytes of it are missing. */
export function watchFrameEnd(bytes: Uint8Array): number | undefined {
  if (bytes.length < prefixLength) return undefined;
  const end = prefixLength + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  return end <= bytes.length ? end : undefined;
}

/** What a frame holds: the type of its event, and the object as `encodeProtobuf` gives it. */
export function readWatchFrame(frame: Uint8Array): { readonly type: string; readonly document: Uint8Array } {
  const event = fieldsOf(unframedEvent(frame));
  const extension = fieldsOf(event.get(objectTag) ?? nothing);
  return { type: text.decode(event.get(typeTag)), document: extension.get(rawTag) ?? nothing };
}

const nothing = new Uint8Array(0);
const text = new TextDecoder();

/** The fields of a message that has nothing but texts and messages, by their tags. */
function fieldsOf(message: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  const reader = Reader.create(message);
  while (reader.pos < reader.len) fields.set(reader.tag(), reader.bytes());
  return fields;
}
