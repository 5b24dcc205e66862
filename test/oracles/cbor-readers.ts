import { Decoder } from "cbor-x";
import { integerOf } from "../../src/apimachinery/go/parsed-json.ts";
import { decodeCbor } from "../../src/codec/cbor/cbor.ts";
import { cborItem, itemsInside } from "./cbor-tree.ts";
import { type Comparison, isSame, outcomeOf } from "./known-difference.ts";

const decoder = new Decoder({ mapsAsObjects: false, useRecords: false });

/** A value of the library that JSON cannot represent: a date, a set, a map with other keys than text. */
export class Foreign {
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

/** Reads bytes with both readers. */
export function compareReaders(input: Uint8Array): Comparison<Uint8Array> {
  return { input, ours: outcomeOf(() => decodeCbor(input)), theirs: outcomeOf(() => readByLibrary(input)) };
}

/** The value that `cbor-x` reads, as JSON where possible. */
export function readByLibrary(bytes: Uint8Array): unknown {
  // Given a Buffer, the library returns byte strings as Buffers and tagged arrays as other types.
  return asJson(decoder.decode(Buffer.from(bytes)));
}

/** The comparison of the smallest item that the readers read differently; undefined if they agree. */
export function firstDifference(bytes: Uint8Array): Comparison<Uint8Array> | undefined {
  const whole = compareReaders(bytes);
  if (isSame(whole)) return undefined;
  const item = cborItem(bytes);
  if (item === undefined || item.bytes.length < bytes.length) return whole;
  return itemsInside(item)
    .map((inner) => compareReaders(inner.bytes))
    .find((comparison) => !isSame(comparison));
}

function asJson(value: unknown): unknown {
  if (typeof value === "bigint") return integerOf(value);
  if (Buffer.isBuffer(value)) return value.toString();
  if (Array.isArray(value)) return value.map(asJson);
  if (value instanceof Map) return objectOf(value);
  const isJson = value === null || ["string", "number", "boolean"].includes(typeof value);
  return isJson ? value : new Foreign(Object.prototype.toString.call(value));
}

/** The last value counts if a key is there as text and as bytes. */
function objectOf(map: ReadonlyMap<unknown, unknown>): unknown {
  const entries = [...map].map(([key, value]) => [asJson(key), asJson(value)] as const);
  if (entries.some(([key]) => typeof key !== "string")) return new Foreign("a key that is no text");
  return Object.fromEntries(entries);
}
