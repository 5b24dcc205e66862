/*
 * The frames of a watch around encoded objects, in JSON and CBOR. Protobuf's are in `protobuf/watch-frame`. JSON and
 * CBOR need no lengths, because a reader can detect the end of a value.
 */

const encoder = new TextEncoder();
const newline = 0x0a;

/** `{"type":"ADDED","object":` and `}`, by the type of the event. */
const jsonParts = frameParts((type) => encoder.encode(`{"type":"${type}","object":`));
const jsonEnd = encoder.encode("}\n");

/**
 * A map with two pairs after the self-described CBOR tag. Keys and texts are byte strings, as everywhere. In
 * deterministic order the shorter key comes first.
 */
const cborParts = frameParts((type) =>
  Uint8Array.of(
    ...[0xd9, 0xd9, 0xf7, 0xa2],
    ...[...byteString("type"), ...byteString(type)],
    ...byteString("object"),
  ),
);

/** `{"type":"ADDED","object":...}` and a line break. A line break at the end of the object is dropped. */
export function encodeJsonWatchFrame(type: string, object: Uint8Array): Uint8Array {
  const body = object[object.length - 1] === newline ? object.subarray(0, -1) : object;
  return joined(jsonParts(type), body, jsonEnd);
}

/** An item of a CBOR sequence. The object keeps its self-described CBOR tag. */
export function encodeCborWatchFrame(type: string, object: Uint8Array): Uint8Array {
  return joined(cborParts(type), object, new Uint8Array(0));
}

function frameParts(make: (type: string) => Uint8Array): (type: string) => Uint8Array {
  const made = new Map<string, Uint8Array>();
  return (type) => {
    let part = made.get(type);
    if (part === undefined) {
      part = make(type);
      made.set(type, part);
    }
    return part;
  };
}

function byteString(text: string): number[] {
  // The text is shorter than 24 bytes, so the first byte contains the length.
  return [0x40 | text.length, ...encoder.encode(text)];
}

function joined(start: Uint8Array, object: Uint8Array, end: Uint8Array): Uint8Array {
  const frame = new Uint8Array(start.length + object.length + end.length);
  frame.set(start);
  frame.set(object, start.length);
  frame.set(end, start.length + object.length);
  return frame;
}
