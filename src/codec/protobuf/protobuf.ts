import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { type DecodedDocument, readDocument, readMessage, type SchemaOf } from "./document-reader.ts";
import { writeDocument, writeList, writeMessage } from "./document-writer.ts";

/*
 * `application/vnd.kubernetes.protobuf`, byte for byte as upstream's generated code writes it. This module imports
 * protobufjs, so load it with `import()` when a client first requests the format.
 */

/** Encodes an object in canonical form (the output of Go's JSON encoder), with the envelope that states its kind. */
export function encodeProtobuf(schema: StructSchema, object: JsonObject): Uint8Array {
  return writeDocument(schema, object);
}

/**
 * Decodes an object to its canonical form. `defaults` supply a missing kind or version.
 * @throws {ProtobufError} with the text of upstream's decoder, or the error of `schemaOf`
 */
export function decodeProtobuf(
  bytes: Uint8Array,
  schemaOf: SchemaOf,
  defaults?: GroupVersionKind,
): DecodedDocument {
  return readDocument(bytes, schemaOf, defaults);
}

/** Encodes an object without envelope, as it is embedded in others. */
export function encodeMessage(schema: StructSchema, object: JsonObject): Uint8Array {
  return writeMessage(schema, object);
}

/**
 * Decodes an object without envelope, kind and version.
 * @throws {ProtobufError} with the text of upstream's decoder
 */
export function decodeMessage(
  schema: StructSchema,
  message: Uint8Array,
  schemaOf: SchemaOf,
): MutableJsonObject {
  return readMessage(message, schema, schemaOf);
}

/**
 * Encodes a list around encoded items, so that get, list and watch share one form of an object. `list` is the list
 * without items; `documents` are its items as encoded by `encodeProtobuf`.
 */
export function encodeList(
  listSchema: StructSchema,
  list: JsonObject,
  documents: readonly Uint8Array[],
): readonly Uint8Array[] {
  return [writeList(listSchema, list, documents)];
}
