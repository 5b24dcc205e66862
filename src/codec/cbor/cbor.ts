import { DecodeError } from "../../apimachinery/decode-error.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import type { Schema } from "../../catalog/type-schema.ts";
import { selfDescribed } from "./cbor-head.ts";
import { CborReader } from "./cbor-reader.ts";
import { CborWriter } from "./cbor-writer.ts";

/**
 * Decodes `application/cbor`, within upstream's limits. Bytes that are tagged to become base64 do.
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
 * Decodes `application/cbor-seq`: items one after the other.
 * @throws {DecodeError} with the text of upstream's decoder
 */
export function* decodeCborSequence(bytes: Uint8Array): Iterable<JsonValue> {
  const reader = new CborReader(bytes);
  while (!reader.isAtEnd) yield reader.item();
}

/**
 * Encodes a value as upstream does when it is deterministic, with the mark that says that this is CBOR. With a
 * schema, what is bytes in Go is written as bytes; without, as the base64 text that JSON has.
 */
export function encodeCbor(value: JsonValue, schema?: Schema): Uint8Array {
  const writer = new CborWriter();
  writer.raw(selfDescribed);
  writer.value(value, schema);
  return writer.finish();
}
