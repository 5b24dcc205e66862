import type { WatchEventType } from "../../apimachinery/watch-event.ts";
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
export function encodeWatchFrame(type: WatchEventType, document: Uint8Array): Uint8Array {
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
