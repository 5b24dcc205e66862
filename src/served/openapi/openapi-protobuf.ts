import { Writer } from "protobufjs/minimal.js";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { getKey, isJsonObject } from "../../apimachinery/json.ts";
import { type MessageLayout, type MessageTable, v2Messages, v3Messages } from "./openapi-messages.ts";
import { blockYaml } from "./openapi-yaml.ts";

/** The document of `/openapi/v2` as gnostic's `openapi.v2.Document`. */
export function encodeOpenApiV2Protobuf(document: JsonObject): Uint8Array {
  return v2Writers.encode(document);
}

/** A document of `/openapi/v3` as gnostic's `openapi.v3.Document`. */
export function encodeOpenApiV3Protobuf(document: JsonObject): Uint8Array {
  return v3Writers.encode(document);
}

/** Writes the content of the message for a value. */
type WriteMessage = (writer: Writer, value: JsonValue) => void;

/** Writes a field with its tag. Empty values of plain fields are omitted; the fields of a oneof are always written. */
type WriteField = (writer: Writer, value: JsonValue, always: boolean) => void;

/** The writers of the messages of one table. A writer is compiled when it is first needed, as messages contain themselves. */
class MessageWriters {
  readonly #table: MessageTable;
  readonly #writers = new Map<string, WriteMessage>();

  constructor(table: MessageTable) {
    this.#table = table;
  }

  encode(document: JsonObject): Uint8Array {
    const writer = Writer.create();
    this.of("Document")(writer, document);
    return writer.finish();
  }

  of(name: string): WriteMessage {
    if (name === "Any") return writeAny;
    const known = this.#writers.get(name);
    if (known !== undefined) return known;
    const layout = this.#table[name];
    if (layout === undefined) throw new Error(`no layout of the message ${name}`);
    let write: WriteMessage | undefined;
    const later: WriteMessage = (writer, value) => {
      write ??= compile(this, layout);
      write(writer, value);
    };
    this.#writers.set(name, later);
    return later;
  }
}

const v2Writers = new MessageWriters(v2Messages);
const v3Writers = new MessageWriters(v3Messages);

function compile(writers: MessageWriters, layout: MessageLayout): WriteMessage {
  if ("fields" in layout) return objectWriter(writers, layout.fields);
  if ("entries" in layout) return entriesWriter(writers, layout.entries);
  if ("wraps" in layout) {
    const write = fieldWriter(writers, layout.wraps);
    return (writer, value) => write(writer, Array.isArray(value) ? value : listed(layout.wraps, value), true);
  }
  const cases = new Map(
    Object.entries(layout.cases).map(([key, field]) => [key, fieldWriter(writers, field)]),
  );
  return (writer, value) => {
    const write = cases.get(caseOf(layout.by, value)) ?? cases.get("");
    write?.(writer, value, true);
  };
}

function listed(field: string, value: JsonValue): JsonValue {
  return field.endsWith("[]") ? [value] : value;
}

function caseOf(by: "typeof" | "$ref" | "in" | "type", value: JsonValue): string {
  if (by === "typeof") return typeof value;
  const said = isJsonObject(value) ? getKey(value, by) : undefined;
  if (by === "$ref") return said === undefined ? "" : "$ref";
  return typeof said === "string" ? said : "";
}

function objectWriter(writers: MessageWriters, fields: { readonly [key: string]: string }): WriteMessage {
  const { "x-": extension, ...named } = fields;
  const known = Object.entries(named).map(([key, field]) => [key, fieldWriter(writers, field)] as const);
  const writeExtensions = extension === undefined ? undefined : entriesWriter(writers, extension);
  return (writer, value) => {
    if (!isJsonObject(value)) return;
    for (const [key, write] of known) {
      const own = getKey(value, key);
      if (own !== undefined) write(writer, own, false);
    }
    writeExtensions?.(writer, extensionsOf(value));
  };
}

function extensionsOf(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key.startsWith("x-")));
}

function entriesWriter(writers: MessageWriters, field: string): WriteMessage {
  const { number, type } = parseField(field);
  const write = writers.of(type);
  return (writer, value) => {
    if (!isJsonObject(value)) return;
    for (const [key, item] of Object.entries(value)) {
      writer.uint32(tagOf(number, lengthDelimited)).fork();
      writer.uint32(tagOf(1, lengthDelimited)).string(key);
      writer.uint32(tagOf(2, lengthDelimited)).fork();
      write(writer, item);
      writer.ldelim().ldelim();
    }
  };
}

function fieldWriter(writers: MessageWriters, field: string): WriteField {
  const { number, type, repeated } = parseField(field);
  const write = scalarWriter(number, type) ?? embeddedWriter(number, writers.of(type));
  if (!repeated) return write;
  return (writer, value) => {
    if (Array.isArray(value)) for (const item of value) write(writer, item, true);
  };
}

function parseField(field: string): { number: number; type: string; repeated: boolean } {
  const [number = "", type = ""] = field.split(" ");
  const repeated = type.endsWith("[]");
  return { number: Number(number), type: repeated ? type.slice(0, -"[]".length) : type, repeated };
}

const varint = 0;
const fixed64 = 1;
const lengthDelimited = 2;

function tagOf(number: number, wireType: number): number {
  return (number << 3) | wireType;
}

function embeddedWriter(number: number, write: WriteMessage): WriteField {
  const tag = tagOf(number, lengthDelimited);
  return (writer, value) => {
    writer.uint32(tag).fork();
    write(writer, value);
    writer.ldelim();
  };
}

function scalarWriter(number: number, type: string): WriteField | undefined {
  switch (type) {
    case "string":
      return (writer, value, always) => {
        if (typeof value !== "string" || (value === "" && !always)) return;
        writer.uint32(tagOf(number, lengthDelimited)).string(value);
      };
    case "bool":
      return (writer, value, always) => {
        if (typeof value === "boolean" && (value || always)) writer.uint32(tagOf(number, varint)).bool(value);
      };
    case "int64":
      return (writer, value, always) => {
        if (typeof value !== "number" || (value === 0 && !always)) return;
        writer.uint32(tagOf(number, varint)).int64(value);
      };
    case "double":
      return (writer, value, always) => {
        if (typeof value !== "number" || (value === 0 && !always)) return;
        writer.uint32(tagOf(number, fixed64)).double(value);
      };
    default:
      return undefined;
  }
}

/** gnostic stores values of any type as YAML. */
function writeAny(writer: Writer, value: JsonValue): void {
  writer.uint32(tagOf(2, lengthDelimited)).string(blockYaml(value));
}
