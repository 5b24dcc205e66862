/*
 * Just enough protobuf to write a body and to read a response without the code under test.
 * Field numbers: https://github.com/kubernetes/api/blob/master/core/v1/generated.proto
 */

type Field = readonly [number: number, content: string | Uint8Array | Message];
/** Fields of the wire type with a length. */
export type Message = readonly Field[];

const magic = [0x6b, 0x38, 0x73, 0x00];

/** An object in the envelope with its kind. */
export function document(apiVersion: string, kind: string, message: Message): Uint8Array {
  const typeMeta: Message = [
    [1, apiVersion],
    [2, kind],
  ];
  const unknown: Message = [
    [1, typeMeta],
    [2, message],
    [3, ""],
    [4, ""],
  ];
  return Uint8Array.from([...magic, ...encode(unknown)]);
}

function encode(message: Message): number[] {
  return message.flatMap(([number, content]) => {
    const bytes = bytesOf(content);
    return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
  });
}

function bytesOf(content: Field[1]): readonly number[] {
  if (typeof content === "string") return [...new TextEncoder().encode(content)];
  return content instanceof Uint8Array ? [...content] : encode(content);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

/** The kind in the envelope, and the fields of the message inside. */
export function openDocument(bytes: Uint8Array): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly fields: ReadonlyMap<number, readonly Uint8Array[]>;
} {
  if (!magic.every((byte, at) => bytes[at] === byte)) throw new Error("not an envelope of Kubernetes");
  const unknown = fieldsOf(bytes.subarray(magic.length));
  const typeMeta = fieldsOf(first(unknown, 1));
  return {
    apiVersion: textOf(typeMeta, 1),
    kind: textOf(typeMeta, 2),
    fields: fieldsOf(first(unknown, 2)),
  };
}

/** The fields with a length; numbers are skipped. */
export function fieldsOf(message: Uint8Array): Map<number, Uint8Array[]> {
  const fields = new Map<number, Uint8Array[]>();
  let at = 0;
  const read = (): number => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = read();
    const size = read();
    if ((tag & 7) === 0) continue;
    if ((tag & 7) !== 2) throw new Error(`wire type ${tag & 7}`);
    const list = fields.get(tag >>> 3) ?? [];
    list.push(message.subarray(at, at + size));
    fields.set(tag >>> 3, list);
    at += size;
  }
  return fields;
}

/** The first value of a field, as text; the empty string when it is absent. */
export function textOf(fields: ReadonlyMap<number, readonly Uint8Array[]>, number: number): string {
  return new TextDecoder().decode(first(fields, number));
}

/** The first value of a field; no bytes when it is absent. */
export function first(fields: ReadonlyMap<number, readonly Uint8Array[]>, number: number): Uint8Array {
  return fields.get(number)?.[0] ?? new Uint8Array();
}

/** The events of a protobuf stream, each after its length. */
export function framesOf(bytes: Uint8Array): readonly Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0);
    if (at + 4 + length > bytes.length) throw new Error("the stream ends within an event");
    frames.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return frames;
}
