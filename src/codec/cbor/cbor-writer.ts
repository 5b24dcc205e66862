import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { utf8Bytes, utf8Length } from "../../apimachinery/utf8.ts";
import type { Schema } from "../../catalog/type-schema.ts";
import { additional, majorType, tags } from "./cbor-head.ts";
import { bytesOfBase64 } from "./tagged-text.ts";

const initialSize = 512;
const maxUint64 = 2n ** 64n - 1n;

/**
 * Encodes JSON values as deterministic CBOR: the shortest lengths and floats, map keys in the order of their encoded
 * bytes, text as byte strings.
 */
export class CborWriter {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(initialSize);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Writes a value. The schema states what JSON does not: which strings are bytes, and which numbers are floats. */
  value(value: JsonValue, schema: Schema | undefined): void {
    switch (typeof value) {
      case "string":
        this.#text(value, schema);
        break;
      case "number":
        this.#number(value, schema);
        break;
      case "bigint":
        this.#integer(value);
        break;
      case "boolean":
        this.#head(majorType.primitive, value ? additional.true : additional.false);
        break;
      default:
        if (value === null) this.#head(majorType.primitive, additional.null);
        else if (isArray(value)) this.#array(value, schema);
        else this.#map(value, schema);
    }
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  #text(value: string, schema: Schema | undefined): void {
    if (schema?.type === "scalar" && schema.scalar === "bytes") {
      this.#head(majorType.tag, tags.laterBase64);
      this.#byteString(bytesOfBase64(value));
      return;
    }
    this.#byteString(utf8Bytes(value));
  }

  #byteString(bytes: Uint8Array): void {
    this.#head(majorType.byteString, bytes.length);
    this.raw(bytes);
  }

  #number(value: number, schema: Schema | undefined): void {
    const isFloat = schema?.type === "scalar" && (schema.scalar === "double" || schema.scalar === "float");
    if (Number.isSafeInteger(value) && !isFloat) this.#integer(value);
    else this.#float(value);
  }

  #integer(value: number | bigint): void {
    const isNegative = value < 0;
    const argument = isNegative ? -1n - BigInt(value) : value;
    if (argument > maxUint64) throw new Error(`${value} is no integer of 64 bits`);
    this.#head(isNegative ? majorType.negativeInteger : majorType.positiveInteger, argument);
  }

  /** Writes the shortest form with the exact value. */
  #float(value: number): void {
    if (!Number.isFinite(value)) throw new Error(`${value} has no place in JSON`);
    this.#reserve(9);
    const half = float16Bits(value);
    const first = majorType.primitive << 5;
    if (half !== undefined) {
      this.#bytes[this.#at] = first | additional.float16;
      this.#view.setUint16(this.#at + 1, half);
      this.#at += 3;
    } else if (Math.fround(value) === value) {
      this.#bytes[this.#at] = first | additional.float32;
      this.#view.setFloat32(this.#at + 1, value);
      this.#at += 5;
    } else {
      this.#bytes[this.#at] = first | additional.float64;
      this.#view.setFloat64(this.#at + 1, value);
      this.#at += 9;
    }
  }

  #array(items: readonly JsonValue[], schema: Schema | undefined): void {
    this.#head(majorType.array, items.length);
    const itemSchema = listItems(schema);
    for (const item of items) this.value(item, itemSchema);
  }

  #map(map: JsonObject, schema: Schema | undefined): void {
    const keys = Object.keys(map).sort(compareKeys);
    this.#head(majorType.map, keys.length);
    for (const key of keys) {
      this.#byteString(utf8Bytes(key));
      this.value(map[key] ?? null, member(schema, key));
    }
  }

  #head(major: number, argument: number | bigint): void {
    this.#reserve(9);
    const first = major << 5;
    if (argument < additional.oneByte) {
      this.#bytes[this.#at++] = first | Number(argument);
    } else if (argument < 0x100) {
      this.#bytes[this.#at++] = first | additional.oneByte;
      this.#bytes[this.#at++] = Number(argument);
    } else if (argument < 0x10000) {
      this.#bytes[this.#at] = first | (additional.oneByte + 1);
      this.#view.setUint16(this.#at + 1, Number(argument));
      this.#at += 3;
    } else if (argument < 0x1_0000_0000) {
      this.#bytes[this.#at] = first | (additional.oneByte + 2);
      this.#view.setUint32(this.#at + 1, Number(argument));
      this.#at += 5;
    } else {
      this.#bytes[this.#at] = first | (additional.oneByte + 3);
      this.#view.setBigUint64(this.#at + 1, BigInt(argument));
      this.#at += 9;
    }
  }

  #reserve(length: number): void {
    if (this.#at + length <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + length));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** Encoded keys start with their length, so shorter keys come first. */
function compareKeys(a: string, b: string): number {
  return utf8Length(a) - utf8Length(b) || compareText(a, b);
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function listItems(schema: Schema | undefined): Schema | undefined {
  if (schema?.type === "list") return schema.items;
  if (schema?.type === "either") return listItems(schema.alternatives.find(({ type }) => type === "list"));
  return undefined;
}

function member(schema: Schema | undefined, key: string): Schema | undefined {
  switch (schema?.type) {
    case "struct":
      return schema.field(key)?.schema;
    case "map":
      return schema.values;
    case "either":
      return member(
        schema.alternatives.find(({ type }) => type === "struct"),
        key,
      );
    default:
      return undefined;
  }
}

/** The bits of a value in half precision; undefined if it does not fit. */
function float16Bits(value: number): number | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === 0) return sign;
  if (size > 65_504) return undefined;
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  // Eleven significant bits, fewer below the smallest exponent.
  const units = size / 2 ** (exponent - 10);
  if (!Number.isInteger(units)) return undefined;
  return units < 0x400 ? sign | units : sign | ((exponent + 15) << 10) | (units - 0x400);
}
