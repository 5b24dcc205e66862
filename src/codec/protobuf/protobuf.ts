import type { GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { type DecodedDocument, readDocument, readMessage, type SchemaOf } from "./document-reader.ts";
import { writeDocument, writeList, writeMessage } from "./document-writer.ts";

/*
 * `application/vnd.kubernetes.protobuf`, byte for byte as upstream's generated code writes it. This module brings
 * protobufjs with it: load it with `import()` when a client first asks for the format.
 */

/** Encodes an object in its canonical form, what Go's JSON encoder gives, with the envelope that says what it is. */
export function encodeProtobuf(schema: StructSchema, object: JsonObject): Uint8Array {
  return writeDocument(schema, object);
}

/**
 * Decodes an object to its canonical form. `defaults` supply kind and version where the bytes leave them out.
 * @throws {ProtobufError} with the text of upstream's decoder, or what `schemaOf` throws
 */
export function decodeProtobuf(
  bytes: Uint8Array,
  schemaOf: SchemaOf,
  defaults?: GroupVersionKind,
): DecodedDocument {
  return readDocument(bytes, schemaOf, defaults);
}

/** Encodes an object without envelope, as it stands inside of others. */
export function encodeMessage(schema: StructSchema, object: JsonObject): Uint8Array {
  return writeMessage(schema, object);
}

/**
 * Decodes an object without envelope. Kind and version are not in it.
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
 * Encodes a list around items that are encoded already, so that one form of an object serves get, list and watch.
 * `list` is the list without items; `documents` are its items as `encodeProtobuf` gives them.
 */
export function encodeList(
  listSchema: StructSchema,
  list: JsonObject,
  documents: readonly Uint8Array[],
): readonly Uint8Array[] {
  return [writeList(listSchema, list, documents)];
}
