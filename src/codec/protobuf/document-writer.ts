import { Writer } from "protobufjs/minimal.js";
import { getKey, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { messageWriter } from "./message-writer.ts";
import { magic, tagOf, wireType } from "./wire.ts";

/** The tags of fields 1 and 2: type and raw bytes in the envelope, version and kind in the type. */
const first = tagOf(1, wireType.bytes);
const second = tagOf(2, wireType.bytes);

/** The end of every document: the encoding and type of its content, which are written although they are empty. */
const trailer: Uint8Array = Uint8Array.of(0x1a, 0x00, 0x22, 0x00);

/** Writes an object with the envelope that states its kind. */
export function writeDocument(schema: StructSchema, object: JsonObject): Uint8Array {
  const writer = Writer.create();
  writeHead(writer, schema, object);
  writer.fork();
  messageWriter(schema)(writer, object);
  return writer.ldelim().raw(trailer).finish();
}

/** Writes an object without envelope. */
export function writeMessage(schema: StructSchema, object: JsonObject): Uint8Array {
  const writer = Writer.create();
  messageWriter(schema)(writer, object);
  return writer.finish();
}

/**
 * Writes a list around encoded items. `list` is the list without items; `documents` are the items as encoded by
 * `writeDocument`.
 */
export function writeList(
  schema: StructSchema,
  list: JsonObject,
  documents: readonly Uint8Array[],
): Uint8Array {
  const { tag, isFirst } = itemsField(schema);
  const rest = writeMessage(schema, { ...list, items: null });
  const items = documents.map(messageField);
  const itemsLength = items.reduce((total, item) => total + item.length, 0);
  const writer = Writer.create();
  writeHead(writer, schema, list);
  writer.uint32(rest.length + itemsLength);
  if (!isFirst) writer.raw(rest);
  const head = writer.finish();
  const end = isFirst ? Uint8Array.of(...rest, ...trailer) : trailer;

  const bytes = new Uint8Array(head.length + itemsLength + end.length);
  bytes.set(head);
  let at = head.length;
  for (const item of items) {
    bytes.set(item, at);
    bytes[at] = tag;
    at += item.length;
  }
  bytes.set(end, at);
  return bytes;
}

/** Writes the bytes before a message's length. */
function writeHead(writer: Writer, schema: StructSchema, object: JsonObject): void {
  // A kind without `apiVersion` and `kind`, such as WatchEvent, is written without a type.
  const own = (name: string): string => (schema.typeMeta ? textOf(getKey(object, name)) : "");
  writer.raw(magic).uint32(first).fork();
  writer.uint32(first).string(own("apiVersion")).uint32(second).string(own("kind"));
  writer.ldelim().uint32(second);
}

/** In meta.k8s.io/v1beta1 the items come before the metadata, elsewhere after it. */
function itemsField(schema: StructSchema): { tag: number; isFirst: boolean } {
  const index = schema.message.findIndex(({ content }) => "name" in content && content.name === "items");
  const number = schema.message[index]?.number;
  if (number === undefined) throw new Error(`${schema.name} has no items`);
  return { tag: tagOf(number, wireType.bytes), isFirst: index === 0 };
}

/** The field with a document's message. It has the layout of a list item: tag, length, message. */
function messageField(document: Uint8Array): Uint8Array {
  const length = document[magic.length + 1] ?? 0;
  // The type is short enough for a length of at most two bytes.
  const start =
    length < 0x80
      ? magic.length + 2 + length
      : magic.length + 3 + (length & 0x7f) + (document[magic.length + 2] ?? 0) * 0x80;
  return document.subarray(start, document.length - trailer.length);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
