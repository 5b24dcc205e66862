import type { Writer } from "protobufjs/minimal.js";
import { getKey, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { sortedKeys } from "../../apimachinery/text-order.ts";
import type {
  EitherSchema,
  FieldSchema,
  ListSchema,
  MapSchema,
  MessageField,
  Schema,
  StructSchema,
} from "../../catalog/type-schema.ts";
import { message, scalarWriters, type ValueWriter, type WriteValue } from "./scalar-writers.ts";
import { tagOf, wireType } from "./wire.ts";

/** Writes one field of an object with its tag, or nothing. */
type WriteField = (writer: Writer, object: JsonObject) => void;

const noFields: JsonObject = {};

/** Writes the fields of a structure, in ascending order of their numbers. */
export function messageWriter(schema: StructSchema): WriteField {
  return schema.compiled(makeWriter);
}

function makeWriter(schema: StructSchema): WriteField {
  const fields = schema.message.map(fieldWriter);
  return (writer, object) => {
    for (const writeField of fields) writeField(writer, object);
  };
}

function fieldWriter({ number, content }: MessageField): WriteField {
  if ("inline" in content) return inlineWriter(number, content.inline);
  const write = presentWriter(number, content);
  const { name } = content;
  // Only the names of inherited properties need the slower lookup.
  if (name in noFields) return (writer, object) => write(writer, getKey(object, name));
  return (writer, object) => write(writer, object[name]);
}

/** An inlined structure is a separate message, which is always written. */
function inlineWriter(number: number, schema: StructSchema): WriteField {
  const tag = tagOf(number, wireType.bytes);
  const write = later(() => messageWriter(schema));
  return (writer, object) => {
    writer.uint32(tag).fork();
    write()(writer, object);
    writer.ldelim();
  };
}

/** Writes a field's tag and value if Go does. */
function presentWriter(number: number, field: FieldSchema): WriteValue {
  const { schema } = field;
  if (schema.type === "list" && schema.message === undefined) return listWriter(number, schema);
  if (schema.type === "map") return mapWriter(number, schema);
  const { wire, write } = valueWriter(schema);
  const tag = tagOf(number, wire);
  const always = isAlwaysWritten(field);
  return (writer, value) => {
    if (!always && (value === undefined || value === null)) return;
    writer.uint32(tag);
    write(writer, value);
  };
}

/** Go omits nil, but not zero: a value that is not a pointer, slice or map is always written. */
function isAlwaysWritten({ schema, pointer, name, declaredBy }: FieldSchema): boolean {
  if (schema.type === "list") return false;
  if (schema.type === "scalar" && schema.scalar === "bytes") return false;
  // Since 1.34, JSON omits the zero value, but the field is not a pointer.
  if (declaredBy === "ObjectMeta" && name === "creationTimestamp") return true;
  return !pointer;
}

function valueWriter(schema: Schema): ValueWriter {
  switch (schema.type) {
    case "scalar":
      return scalarWriters[schema.scalar];
    case "struct":
      return structWriter(schema);
    case "either":
      return message(eitherWriter(schema));
    case "list":
      return namedListWriter(schema);
    case "map":
      throw new Error("a map inside a list or a map has no protobuf form");
  }
}

function structWriter(schema: StructSchema): ValueWriter {
  const write = later(() => messageWriter(schema));
  return message((writer, value) => write()(writer, isObject(value) ? value : noFields));
}

function listWriter(number: number, { items }: ListSchema): WriteValue {
  const { wire, write } = valueWriter(items);
  const tag = tagOf(number, wire);
  return (writer, value) => {
    if (!Array.isArray(value)) return;
    for (const item of value) {
      writer.uint32(tag);
      write(writer, item);
    }
  };
}

function namedListWriter(schema: ListSchema): ValueWriter {
  if (schema.message === undefined) throw new Error("a list inside a list or a map has no protobuf form");
  return message(listWriter(schema.message.proto, schema));
}

/** An entry is a message with its key and value. Entries are sorted by key. */
function mapWriter(number: number, { values }: MapSchema): WriteValue {
  const { wire, write } = valueWriter(values);
  const tag = tagOf(number, wireType.bytes);
  const keyTag = tagOf(1, wireType.bytes);
  const valueTag = tagOf(2, wire);
  const leavesOutNull = values.type === "scalar" && values.scalar === "bytes";
  return (writer, map) => {
    if (!isObject(map)) return;
    for (const key of sortedKeys(map)) {
      const value = map[key];
      writer.uint32(tag).fork().uint32(keyTag).string(key);
      if (!leavesOutNull || value !== null) {
        writer.uint32(valueTag);
        write(writer, value);
      }
      writer.ldelim();
    }
  };
}

/** Writes the alternative of the value to its field. For a structure, the boolean field is also written as true. */
function eitherWriter({ message: fields }: EitherSchema): WriteValue {
  const alternatives = fields.map(({ number, content }) => {
    if ("inline" in content) throw new Error("an alternative is never inlined");
    return { schema: content.schema, write: presentWriter(number, { ...content, pointer: true }) };
  });
  return (writer, value) => {
    if (value === undefined || value === null) return;
    for (const { schema, write } of alternatives) {
      if (schema.type === "scalar") write(writer, value !== false);
      else if ((schema.type === "list") === Array.isArray(value) && typeof value === "object")
        write(writer, value);
    }
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Structures may contain themselves, so their writers are created on first use. */
function later<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
