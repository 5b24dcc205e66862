import { DecodeError } from "../../apimachinery/decode-error.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import {
  formatGroupVersion,
  type GroupVersionKind,
  parseGroupVersion,
} from "../../apimachinery/group-version.ts";
import type { MutableJsonObject } from "../../apimachinery/json.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { MessageInput } from "./message-input.ts";
import { readStruct } from "./message-reader.ts";
import { ProtobufError, upstreamError } from "./protobuf-error.ts";
import { isDocument, magic } from "./wire.ts";

/** Returns the schema of a kind. It may throw its own error for an unknown kind. */
export type SchemaOf = (gvk: GroupVersionKind) => StructSchema | undefined;

/** A document and its kind. */
export interface DecodedDocument {
  readonly gvk: GroupVersionKind;
  readonly object: MutableJsonObject;
}

/** The envelope of an object, and the object's position in the input. */
interface Envelope {
  apiVersion: string;
  kind: string;
  start: number;
  end: number;
}

/** Reads a whole document. `defaults` supply a missing kind or version. */
export function readDocument(
  bytes: Uint8Array,
  schemaOf: SchemaOf,
  defaults: GroupVersionKind | undefined,
): DecodedDocument {
  if (bytes.length === 0) throw new ProtobufError("empty data");
  if (!isDocument(bytes)) {
    const prefix = magic.join(" ");
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${prefix}]`,
    );
  }
  if (bytes.length === magic.length) throw new ProtobufError("empty body");
  return readInput(messageInput(bytes, schemaOf), schemaOf, defaults);
}

/** Reads a message without envelope, such as a list item. */
export function readMessage(bytes: Uint8Array, schema: StructSchema, schemaOf: SchemaOf): MutableJsonObject {
  const input = messageInput(bytes, schemaOf);
  return withUpstreamErrors(undefined, () => readStruct(input, schema, {}));
}

function messageInput(bytes: Uint8Array, schemaOf: SchemaOf): MessageInput {
  return new MessageInput(bytes, (input) => readInput(input, schemaOf, undefined).object);
}

function readInput(
  input: MessageInput,
  schemaOf: SchemaOf,
  defaults: GroupVersionKind | undefined,
): DecodedDocument {
  const envelope = withUpstreamErrors(undefined, () => readEnvelope(input));
  const gvk = kindOf(envelope, defaults);
  const schema = schemaOf(gvk);
  if (schema === undefined) {
    const gv = formatGroupVersion(gvk);
    throw new ProtobufError(
      `no kind ${goQuote(gvk.kind)} is registered for version ${goQuote(gv)} in scheme "pkg/api/legacyscheme/scheme.go:30"`,
      gvk,
    );
  }
  const { reader } = input;
  reader.pos = envelope.start;
  reader.len = envelope.end;
  const typeMeta: MutableJsonObject = schema.typeMeta
    ? { kind: gvk.kind, apiVersion: formatGroupVersion(gvk) }
    : {};
  return { gvk, object: withUpstreamErrors(gvk, () => readStruct(input, schema, typeMeta)) };
}

function readEnvelope(input: MessageInput): Envelope {
  const { reader } = input;
  const envelope: Envelope = { apiVersion: "", kind: "", start: 0, end: 0 };
  reader.pos = magic.length;
  while (reader.pos < reader.len) {
    const tag = input.tag("Unknown");
    if (tag === 0x0a) readTypeMeta(input, envelope);
    else if (tag === 0x12) {
      envelope.end = reader.size() + reader.pos;
      envelope.start = reader.pos;
      reader.skip(envelope.end - envelope.start);
    } else if (tag === 0x1a || tag === 0x22) reader.skip(reader.size());
    else input.skipUnknown(tag, ["TypeMeta", "Raw", "ContentEncoding", "ContentType"]);
  }
  return envelope;
}

function readTypeMeta(input: MessageInput, envelope: Envelope): void {
  const { reader } = input;
  const outer = input.enter();
  while (reader.pos < reader.len) {
    const tag = input.tag("TypeMeta");
    if (tag === 0x0a) envelope.apiVersion = input.text();
    else if (tag === 0x12) envelope.kind = input.text();
    else input.skipUnknown(tag, ["APIVersion", "Kind"]);
  }
  input.leave(outer);
}

/** The defaults supply the kind, or the group and version, if the document has none. */
function kindOf({ apiVersion, kind }: Envelope, defaults: GroupVersionKind | undefined): GroupVersionKind {
  const own = parseGroupVersion(apiVersion) ?? { group: "", version: "" };
  const { group, version } = own.version === "" && defaults !== undefined ? defaults : own;
  const gvk = { group, version, kind: kind === "" ? (defaults?.kind ?? "") : kind };
  const missing = missingPart(gvk);
  if (missing === undefined) return gvk;
  const shown = `runtime.TypeMeta{APIVersion:${goQuote(apiVersion)}, Kind:${goQuote(kind)}}`;
  throw new ProtobufError(`Object '${missing}' is missing in '${shown}'`, gvk);
}

function missingPart({ kind, version }: GroupVersionKind): string | undefined {
  if (kind === "") return "Kind";
  return version === "" ? "apiVersion" : undefined;
}

/** Runs `read` and converts its errors to upstream's, with the kind. */
function withUpstreamErrors<T>(gvk: GroupVersionKind | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const converted = upstreamError(error);
    throw converted instanceof DecodeError
      ? new ProtobufError(converted.message, gvk, { cause: error })
      : converted;
  }
}
