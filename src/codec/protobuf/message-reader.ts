import { goFieldName } from "../../apimachinery/go/go-field-name.ts";
import {
  getKey,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../../apimachinery/json.ts";
import type {
  EitherSchema,
  FieldSchema,
  ListSchema,
  MapSchema,
  MessageField,
  Schema,
  StructSchema,
} from "../../catalog/type-schema.ts";
import type { MessageInput } from "./message-input.ts";
import { wrongWireType } from "./protobuf-error.ts";
import { scalarReaders, type ValueReader } from "./scalar-readers.ts";
import { wireType } from "./wire.ts";

/** The values of a structure's JSON fields while its message is read, in the order of the fields. */
type Slots = (JsonValue | undefined)[];

/** Reads one field after its tag into the slots. */
type ReadField = (input: MessageInput, wire: number, slots: Slots) => void;

/** The readers of a structure, created once. */
interface StructReader {
  readonly name: string;
  /** By field number. */
  readonly readers: ReadonlyMap<number, ReadField>;
  readonly fields: readonly FinishField[];
}

interface FinishField {
  readonly name: string;
  /** The JSON value of a field that is not set; undefined if JSON omits it. */
  readonly zero: (() => JsonValue) | undefined;
}

/**
 * Reads the message of a structure into `object`, up to the current limit of the input. The message does not contain
 * kind and version; the caller sets them in `object` before.
 */
export function readStruct(
  input: MessageInput,
  schema: StructSchema,
  object: MutableJsonObject,
): MutableJsonObject {
  const reader = schema.compiled(makeReader);
  const slots: Slots = new Array(reader.fields.length);
  readFields(input, reader.name, reader.readers, slots);
  return finish(reader, slots, object);
}

function readFields(
  input: MessageInput,
  name: string,
  readers: ReadonlyMap<number, ReadField>,
  slots: Slots,
): void {
  const { reader } = input;
  while (reader.pos < reader.len) {
    const tag = input.tag(name);
    const read = readers.get(tag >>> 3);
    if (read === undefined) input.skip(tag & 7);
    else read(input, tag & 7, slots);
  }
}

function finish(reader: StructReader, slots: Slots, object: MutableJsonObject): MutableJsonObject {
  for (let i = 0; i < reader.fields.length; i++) {
    const field = reader.fields[i];
    const value = slots[i] ?? field?.zero?.();
    if (field !== undefined && value !== undefined) object[field.name] = value;
  }
  return object;
}

function makeReader(schema: StructSchema): StructReader {
  const slotOf = new Map(schema.fields.map((field, index) => [field.name, index]));
  return {
    name: schema.name,
    readers: fieldReaders(schema.message, slotOf),
    fields: schema.fields.map((field) => ({
      name: field.name,
      zero: field.emit ? shownZero(field) : undefined,
    })),
  };
}

/** The value that Go's JSON encoder writes for an emitted field that is not set. */
function shownZero({ schema, pointer }: FieldSchema): () => JsonValue {
  if (pointer || schema.type === "list" || schema.type === "map") return () => null;
  return valueReader(schema).zero;
}

function fieldReaders(
  message: readonly MessageField[],
  slotOf: ReadonlyMap<string, number>,
): ReadonlyMap<number, ReadField> {
  const readers = new Map<number, ReadField>();
  for (const { number, content } of message) {
    if ("inline" in content) {
      readers.set(number, inlineReader(content.inline, slotOf));
      continue;
    }
    const slot = slotOf.get(content.name);
    if (slot !== undefined) readers.set(number, fieldReader(content, slot, goNameOf(content)));
  }
  return readers;
}

/** Go embeds the metadata under the name of its type. */
function goNameOf({ name, schema }: FieldSchema): string {
  return name === "metadata" && schema.type === "struct" ? schema.name : goFieldName(name);
}

/** Reads the fields of an inlined structure into its owner's slots. */
function inlineReader(schema: StructSchema, slotOf: ReadonlyMap<string, number>): ReadField {
  let readers: ReadonlyMap<number, ReadField> | undefined;
  return (input, wire, slots) => {
    if (wire !== wireType.bytes) throw wrongWireType(wire, schema.name);
    readers ??= fieldReaders(schema.message, slotOf);
    const outer = input.enter();
    readFields(input, schema.name, readers, slots);
    input.leave(outer);
  };
}

function fieldReader(field: FieldSchema, slot: number, goName: string): ReadField {
  const { schema } = field;
  if (schema.type === "list" && schema.message === undefined) return listReader(schema, slot, goName);
  if (schema.type === "map") return mapReader(schema, slot, goName);
  if (schema.type === "struct") return structFieldReader(schema, slot, goName);
  const { wire, read } = valueReader(schema);
  const keepsZero = keepsExplicitZero(field);
  return (input, actual, slots) => {
    if (actual !== wire) throw wrongWireType(actual, goName);
    const value = read(input);
    slots[slot] = keepsZero || (value !== 0 && value !== "" && value !== false) ? value : undefined;
  };
}

/** Whether Go distinguishes a written zero from a missing value. */
function keepsExplicitZero({ schema, pointer, emit }: FieldSchema): boolean {
  if (schema.type !== "scalar") return true;
  switch (schema.scalar) {
    case "string":
    case "bool":
    case "int32":
    case "int64":
    case "uint32":
    case "uint64":
    case "double":
    case "float":
      return pointer;
    case "bytes":
      // Empty bytes are not nil, but JSON omits both.
      return emit;
    default:
      return true;
  }
}

/** A repeated message is merged into the earlier one. */
function structFieldReader(schema: StructSchema, slot: number, goName: string): ReadField {
  return (input, wire, slots) => {
    if (wire !== wireType.bytes) throw wrongWireType(wire, goName);
    const outer = input.enter();
    const earlier = slots[slot];
    slots[slot] = earlier === undefined ? readStruct(input, schema, {}) : readMore(input, schema, earlier);
    input.leave(outer);
  };
}

function readMore(input: MessageInput, schema: StructSchema, earlier: JsonValue): MutableJsonObject {
  const reader = schema.compiled(makeReader);
  // Only this reader sets the slot of a structure, and it sets an object.
  const object = earlier as JsonObject;
  const slots = reader.fields.map(({ name }) => getKey(object, name) ?? undefined);
  readFields(input, reader.name, reader.readers, slots);
  return finish(reader, slots, {});
}

function valueReader(schema: Schema): ValueReader {
  switch (schema.type) {
    case "scalar":
      return scalarReaders[schema.scalar];
    case "struct":
      return structValueReader(schema);
    case "either":
      return eitherReader(schema);
    case "list":
      return namedListReader(schema);
    case "map":
      throw new Error("a map inside a list or a map has no protobuf form");
  }
}

function structValueReader(schema: StructSchema): ValueReader {
  return {
    wire: wireType.bytes,
    zero: () => finish(schema.compiled(makeReader), [], {}),
    read: (input) => {
      const outer = input.enter();
      const object = readStruct(input, schema, {});
      input.leave(outer);
      return object;
    },
  };
}

/** Numbers may be in separate fields or packed into one field. */
function listReader(schema: ListSchema, slot: number, goName: string): ReadField {
  const { wire, read, zero } = valueReader(schema.items);
  return (input, actual, slots) => {
    slots[slot] ??= [];
    // Only this reader sets its slot.
    const list = slots[slot] as JsonValue[];
    if (actual === wire) {
      list.push(read(input) ?? zero());
      return;
    }
    if (actual !== wireType.bytes) throw wrongWireType(actual, goName);
    const outer = input.enter();
    while (input.reader.pos < input.reader.len) list.push(read(input) ?? zero());
    input.leave(outer);
  };
}

/** Go's named list types are messages with one repeated field. */
function namedListReader(schema: ListSchema): ValueReader {
  if (schema.message === undefined) throw new Error("a list inside a list or a map has no protobuf form");
  const { name, proto } = schema.message;
  const readers = new Map([[proto, listReader({ ...schema, message: undefined }, 0, "Items")]]);
  return {
    wire: wireType.bytes,
    zero: () => [],
    read: (input) => {
      const outer = input.enter();
      const slots: Slots = [[]];
      readFields(input, name, readers, slots);
      input.leave(outer);
      return slots[0];
    },
  };
}

/** An entry is a message with its key and value. Like upstream, this does not check their wire types. */
function mapReader({ values }: MapSchema, slot: number, goName: string): ReadField {
  const { read, zero } = valueReader(values);
  const isBytes = values.type === "scalar" && values.scalar === "bytes";
  return (input, wire, slots) => {
    if (wire !== wireType.bytes) throw wrongWireType(wire, goName);
    slots[slot] ??= {};
    // Only this reader sets its slot.
    const map = slots[slot] as MutableJsonObject;
    const outer = input.enter();
    let key = "";
    let value: JsonValue | undefined = isBytes ? "" : undefined;
    while (input.reader.pos < input.reader.len) {
      const tag = input.reader.tag();
      if (tag >>> 3 === 1) key = input.text();
      else if (tag >>> 3 === 2) value = read(input);
      else input.skip(tag & 7);
    }
    input.leave(outer);
    setKey(map, key, value ?? zero());
  };
}

/** Reads the alternative that Go's JSON encoder writes: items if there are any, then a structure, then the boolean. */
function eitherReader(schema: EitherSchema): ValueReader {
  let readers: ReadonlyMap<number, ReadField> | undefined;
  const slotOf = new Map(schema.fields.map(({ name }, index) => [name, index]));
  const shown = (slots: Slots): JsonValue | undefined => {
    const ofType = (type: Schema["type"]): JsonValue | undefined =>
      slots[schema.fields.findIndex((field) => field.schema.type === type)];
    const isBoolean = schema.fields.some((field) => field.schema.type === "scalar");
    return ofType("list") ?? ofType("struct") ?? (isBoolean ? (ofType("scalar") ?? false) : undefined);
  };
  return {
    wire: wireType.bytes,
    zero: () => shown([]) ?? null,
    read: (input) => {
      readers ??= fieldReaders(schema.message, slotOf);
      const outer = input.enter();
      const slots: Slots = [];
      readFields(input, schema.name, readers, slots);
      input.leave(outer);
      return shown(slots);
    },
  };
}
