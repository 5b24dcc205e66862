import fc from "fast-check";
import { formatDuration } from "../../src/apimachinery/duration.ts";
import { integerOf } from "../../src/apimachinery/go/parsed-json.ts";
import { formatGroupVersion, type GroupVersionKind } from "../../src/apimachinery/group-version.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../../src/apimachinery/json.ts";
import { canonicalQuantity } from "../../src/apimachinery/quantity.ts";
import { compareText } from "../../src/apimachinery/text-order.ts";
import { formatMicroInstant, formatTime } from "../../src/apimachinery/time.ts";
import type {
  EitherSchema,
  FieldSchema,
  MapSchema,
  ScalarType,
  Schema,
  StructSchema,
} from "../../src/catalog/type-schema.ts";

/*
 * Random objects in canonical form: what Go's JSON encoder would write for some value of the Go type. Fields are in
 * order, zero values appear only where Go emits them, and map keys are sorted.
 */

/** Objects of a kind, with the kind and the version in front. */
export function kindArbitrary(gvk: GroupVersionKind, schema: StructSchema): fc.Arbitrary<JsonObject> {
  const typeMeta = { kind: gvk.kind, apiVersion: formatGroupVersion(gvk) };
  return structArbitrary(schema).map((object) => (schema.typeMeta ? { ...typeMeta, ...object } : object));
}

/** Objects of a structure, without kind and version. Optional parts beyond `depth` levels are omitted. */
export function structArbitrary(schema: StructSchema, depth = 6): fc.Arbitrary<JsonObject> {
  let byDepth = structs.get(schema);
  if (byDepth === undefined) {
    byDepth = [];
    structs.set(schema, byDepth);
  }
  byDepth[depth] ??= fc.tuple(...schema.fields.map((field) => fieldArbitrary(field, depth))).map((values) => {
    const object: MutableJsonObject = {};
    schema.fields.forEach(({ name }, index) => {
      const value = values[index];
      if (value !== undefined) object[name] = value;
    });
    return object;
  });
  return byDepth[depth];
}

const structs = new WeakMap<StructSchema, fc.Arbitrary<JsonObject>[]>();

/** The field's value, undefined when the field is left out. */
function fieldArbitrary(field: FieldSchema, depth: number): fc.Arbitrary<JsonValue | undefined> {
  const { schema, emit, pointer } = field;
  const unset = fc.constant(emit ? null : undefined);
  if (isGoStructure(schema) && emit && !pointer) return lazily(() => valueArbitrary(schema, depth - 1));
  if (isPlainScalar(schema) && emit && !pointer) return valueArbitrary(schema, depth - 1);
  if (depth <= 0 && !isPlainScalar(schema)) return unset;
  const value = lazily(() => valueArbitrary(schema, depth - 1));
  const set = isPlainScalar(schema) && !pointer ? value.filter((found) => !isEmpty(found)) : value;
  // Deeper levels are sparser, so that objects stay small.
  return fc.oneof({ weight: 8 - depth, arbitrary: unset }, { weight: 3, arbitrary: set });
}

function valueArbitrary(schema: Schema, depth: number): fc.Arbitrary<JsonValue> {
  switch (schema.type) {
    case "scalar":
      return scalars[schema.scalar];
    case "struct":
      return structArbitrary(schema, depth);
    case "either":
      return eitherArbitrary(schema, depth);
    case "list":
      return fc.array(valueArbitrary(schema.items, depth), {
        minLength: schema.message ? 0 : 1,
        maxLength: 2,
      });
    case "map":
      return mapArbitrary(schema, depth);
  }
}

function mapArbitrary({ values }: MapSchema, depth: number): fc.Arbitrary<JsonObject> {
  const entries = fc.uniqueArray(fc.tuple(text, valueArbitrary(values, depth)), {
    minLength: 1,
    maxLength: 3,
    selector: ([key]) => key,
  });
  return entries.map((all) => {
    const map: MutableJsonObject = {};
    for (const [key, value] of all.sort(([a], [b]) => compareText(a, b))) setKey(map, key, value);
    return map;
  });
}

function eitherArbitrary({ alternatives }: EitherSchema, depth: number): fc.Arbitrary<JsonValue> {
  return fc.oneof(...alternatives.map((alternative) => valueArbitrary(alternative, depth)));
}

/** Any text without lone surrogates, which UTF-8 cannot represent. */
const text = fc.string({ unit: "binary", maxLength: 12 });

/** Values that JSON can represent: no negative zero. */
const json: fc.Arbitrary<JsonValue> = fc
  .jsonValue({ maxDepth: 2 })
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)));
const jsonObject: fc.Arbitrary<JsonValue> = fc
  .dictionary(text, json)
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)));

const int64 = fc.oneof(fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(integerOf));
const uint64 = fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(integerOf));

/** From the year 1, whose first second is Go's zero time, to the year 9999. */
const seconds = fc.integer({ min: -62_135_596_799, max: 253_402_300_799 });

const quantity = fc
  .tuple(fc.integer(), fc.constantFrom("", "n", "m", "k", "Ki", "Gi", "e3", ".5"))
  .map(([number, suffix]) => canonicalQuantity(`${number}${suffix}`));

const scalars: { readonly [scalar in ScalarType]: fc.Arbitrary<JsonValue> } = {
  string: text,
  bool: fc.boolean(),
  int32: fc.integer(),
  int64,
  uint32: fc.nat(2 ** 32 - 1),
  uint64,
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  float: fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  bytes: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  time: seconds.map((value) => formatTime(value * 1_000)),
  microtime: fc
    .tuple(seconds, fc.nat(999_999))
    .map(([value, micros]) => formatMicroInstant({ seconds: value, nanoseconds: micros * 1_000 })),
  duration: fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }).map(formatDuration),
  quantity,
  intOrString: fc.oneof(fc.integer(), text),
  rawExtension: jsonObject,
  // Go holds these decoded, so their keys are sorted; other raw values stay as they were sent.
  json: json.filter((value) => value !== null).map(sorted),
  fieldsV1: jsonObject,
  unknown: jsonObject,
};

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const object: MutableJsonObject = {};
  for (const key of Object.keys(value).sort(compareText)) setKey(object, key, sorted(value[key] ?? null));
  return object;
}

/** Go's `omitempty` omits these, unless they are behind a pointer. */
function isEmpty(value: JsonValue): boolean {
  return value === "" || value === 0 || value === false;
}

function isPlainScalar(schema: Schema): boolean {
  return schema.type === "scalar" && !isGoStructure(schema);
}

function isGoStructure(schema: Schema): boolean {
  if (schema.type === "struct" || schema.type === "either") return true;
  if (schema.type !== "scalar") return false;
  switch (schema.scalar) {
    case "time":
    case "microtime":
    case "duration":
    case "quantity":
    case "intOrString":
    case "rawExtension":
    case "json":
    case "fieldsV1":
    case "unknown":
      return true;
    default:
      return false;
  }
}

/** Structures may contain themselves, so their parts are created lazily. */
function lazily<T>(make: () => fc.Arbitrary<T>): fc.Arbitrary<T> {
  let made: fc.Arbitrary<T> | undefined;
  return fc.constant(null).chain(() => {
    made ??= make();
    return made;
  });
}
