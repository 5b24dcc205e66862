import { DecodeError } from "../../apimachinery/decode-error.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import type { Schema } from "../../catalog/type-schema.ts";
import { selfDescribed } from "./cbor-head.ts";
import { CborReader } from "./cbor-reader.ts";
import { CborWriter } from "./cbor-writer.ts";

/**
 * Decodes `application/cbor`, within upstream's limits. Byte strings with a tag for base64 become base64 text.
 * @throws {DecodeError} with the text of upstream's decoder
 */
export function decodeCbor(bytes: Uint8Array): JsonValue {
  if (bytes.length === 0) throw new DecodeError("EOF");
  const reader = new CborReader(bytes);
  const value = reader.item();
  reader.expectEnd();
  return value;
}

/**
 * Decodes the items of `application/cbor-seq`.
 * @throws {DecodeError} with the text of upstream's decoder
 */
export function* decodeCborSequence(bytes: Uint8Array): Iterable<JsonValue> {
  const reader = new CborReader(bytes);
  while (!reader.isAtEnd) yield reader.item();
}

/**
 * Encodes a value like upstream's deterministic encoder, with the self-described CBOR tag. With a schema, fields that
 * are bytes in Go are encoded as bytes; without one, as the base64 text of JSON.
 */
export function encodeCbor(value: JsonValue, schema?: Schema): Uint8Array {
  const writer = new CborWriter();
  writer.raw(selfDescribed);
  writer.value(value, schema);
  return writer.finish();
}
