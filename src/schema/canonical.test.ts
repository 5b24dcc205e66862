import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kindArbitrary } from "../../test/arbitraries/schema-arbitrary.ts";
import { listAt, valueAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../apimachinery/json.ts";
import { catalogOf } from "../catalog/catalog.ts";
import { objectMetaOf } from "../catalog/object-meta-of.ts";
import { structSchema } from "../catalog/struct-schema.ts";
import type { FieldSchema, ScalarType, Schema, StructSchema } from "../catalog/type-schema.ts";
import { encodeJson, readJson } from "../codec/json/json.ts";
import { deepFreeze } from "../store/deep-freeze.ts";
import { canonicalize, canonicalizeSorted, canonicalizeStored, canonicalizeUntyped } from "./canonical.ts";
import { decodeInto } from "./typed-decode.ts";

interface Flags {
  readonly emit?: true;
  readonly pointer?: true;
}

const scalar = (type: ScalarType): Schema => ({ type: "scalar", scalar: type });
const list = (items: Schema): Schema => ({ type: "list", items, message: undefined });
const map = (values: Schema): Schema => ({ type: "map", values });

function struct(
  fields: { readonly [name: string]: readonly [Schema, Flags?] },
  typeMeta = false,
): StructSchema {
  const schemas = Object.entries(fields).map(
    ([name, [schema, flags = {}]]): FieldSchema => ({
      name,
      schema,
      declaredBy: "Thing",
      required: false,
      emit: flags.emit ?? false,
      pointer: flags.pointer ?? false,
      list: undefined,
      keys: [],
      mapType: undefined,
      patchStrategy: [],
      patchMergeKey: undefined,
      default: undefined,
      enum: [],
    }),
  );
  return structSchema({
    name: "Thing",
    gv: { group: "", version: "v1" },
    typeMeta,
    fields: schemas,
    message: [],
    mapType: undefined,
    unions: [],
  });
}

const text = (schema: StructSchema, object: JsonObject): string => encodeJson(canonicalize(schema, object));

describe("the fields of a structure", () => {
  test("are in the order of declaration, after kind and apiVersion", () => {
    const schema = struct({ b: [scalar("string")], a: [scalar("string")] }, true);
    expect(text(schema, { a: "1", apiVersion: "v1", b: "2", kind: "K", c: "3" })).toBe(
      '{"kind":"K","apiVersion":"v1","b":"2","a":"1"}',
    );
    expect(text(schema, { kind: "", a: "1" })).toBe('{"a":"1"}');
  });

  const inner = struct({ x: [scalar("string")], y: [scalar("int32"), { emit: true }] });
  test.each<[Schema, unset: string, emitted: string, pointer: string]>([
    [scalar("string"), "{}", '{"f":""}', '{"f":null}'],
    [scalar("bool"), "{}", '{"f":false}', '{"f":null}'],
    [scalar("int64"), "{}", '{"f":0}', '{"f":null}'],
    [scalar("bytes"), "{}", '{"f":null}', '{"f":null}'],
    [scalar("time"), "{}", '{"f":null}', '{"f":null}'],
    [scalar("quantity"), "{}", '{"f":"0"}', '{"f":null}'],
    [scalar("intOrString"), "{}", '{"f":0}', '{"f":null}'],
    [scalar("duration"), "{}", '{"f":"0s"}', '{"f":null}'],
    [scalar("rawExtension"), "{}", '{"f":null}', '{"f":null}'],
    [list(scalar("string")), "{}", '{"f":null}', '{"f":null}'],
    [map(scalar("string")), "{}", '{"f":null}', '{"f":null}'],
    [inner, "{}", '{"f":{"y":0}}', '{"f":null}'],
  ])("of %j have Go's output if they are unset", (schema, unset, emitted, pointer) => {
    for (const object of [{}, { f: null }]) {
      expect(text(struct({ f: [schema] }), object)).toBe(unset);
      expect(text(struct({ f: [schema, { emit: true }] }), object)).toBe(emitted);
      expect(text(struct({ f: [schema, { emit: true, pointer: true }] }), object)).toBe(pointer);
    }
  });

  test.each<[Schema, JsonObject, omitted: string, kept: string]>([
    [scalar("string"), { f: "" }, "{}", '{"f":""}'],
    [scalar("bool"), { f: false }, "{}", '{"f":false}'],
    [scalar("int32"), { f: 0 }, "{}", '{"f":0}'],
    [list(scalar("string")), { f: [] }, "{}", '{"f":[]}'],
    [map(scalar("string")), { f: {} }, "{}", '{"f":{}}'],
  ])(
    "of %j drop an explicit zero, unless they are always emitted or a pointer",
    (schema, object, omitted, kept) => {
      expect(text(struct({ f: [schema] }), object)).toBe(omitted);
      expect(text(struct({ f: [schema, { emit: true }] }), object)).toBe(kept);
      expect(text(struct({ f: [schema, { pointer: true }] }), object)).toBe(kept);
    },
  );

  test("that are empty lists or maps are unset after storage", () => {
    const schema = struct({
      list: [list(scalar("string")), { emit: true }],
      map: [map(scalar("string")), { emit: true }],
      lists: [map(list(scalar("string")))],
      inner: [inner, { pointer: true }],
    });
    const object = { list: [], map: {}, lists: { a: [] }, inner: {} };
    expect(encodeJson(canonicalizeStored(schema, object))).toBe(
      '{"list":null,"map":null,"lists":{"a":null},"inner":{"y":0}}',
    );
    expect(text(schema, object)).toBe('{"list":[],"map":{},"lists":{"a":[]},"inner":{"y":0}}');
  });
});

describe("the contents of a list or map", () => {
  test("are written even if they are zero", () => {
    const schema = struct({
      list: [list(struct({ s: [scalar("string"), { emit: true }] }))],
      map: [map(scalar("string"))],
      times: [list(scalar("time"))],
    });
    expect(text(schema, { list: [null, {}], map: { b: "", a: null }, times: [null] })).toBe(
      '{"list":[{"s":""},{"s":""}],"map":{"a":"","b":""},"times":[null]}',
    );
  });

  test("are in the byte order of their keys", () => {
    const schema = struct({ map: [map(scalar("int32"))] });
    const object = { map: { "\u{1f600}": 1, "\ufffd": 2, b: 3, a: 4, B: 5, "10": 6, "9": 7, "-": 8 } };
    expect(text(schema, object)).toBe(
      '{"map":{"-":8,"10":6,"9":7,"B":5,"a":4,"b":3,"\ufffd":2,"\u{1f600}":1}}',
    );
  });
});

test("raw values keep their order; JSON values and objects without a schema are sorted", () => {
  const value = { b: 1, a: [{ d: null, c: {} }] };
  const schema = struct({ raw: [scalar("rawExtension")], json: [scalar("json")] });
  expect(text(schema, { json: value, raw: value })).toBe(
    '{"raw":{"b":1,"a":[{"d":null,"c":{}}]},"json":{"a":[{"c":{},"d":null}],"b":1}}',
  );
  expect(encodeJson(canonicalizeUntyped({ kind: "Foo", spec: value, apiVersion: "v1" }))).toBe(
    '{"apiVersion":"v1","kind":"Foo","spec":{"a":[{"c":{},"d":null}],"b":1}}',
  );
});

test("an unchanged part is the same object as before", () => {
  const inner = struct({ a: [scalar("string")], on: [struct({}), { emit: true }] });
  const schema = struct({ list: [list(inner)], map: [map(inner)], json: [scalar("json")] });
  const object = (a: string): JsonObject => ({
    json: { b: [a], a: 1 },
    list: [{ a: "x" }, { a }],
    map: { k: { a: "" }, l: { a } },
  });
  const old = canonicalize(schema, object("y"));
  const next = canonicalize(schema, object("z"), old);
  const places = (value: JsonObject) => [
    valueAt(value, "json"),
    listAt(value, "list")[0],
    listAt(value, "list")[1],
    valueAt(value, "map", "k"),
    valueAt(value, "map", "l"),
  ];
  const before = places(old);
  expect(places(next).map((part, i) => part === before[i])).toEqual([false, true, false, true, false]);
  expect(canonicalize(schema, object("y"), old)).toBe(old);
});

test("a frozen canonical part is returned itself", () => {
  const inner = struct({ b: [scalar("string")], a: [map(scalar("string"))] });
  const schema = struct({ fit: [inner], unfit: [inner], list: [list(scalar("string"))] });
  const fit = Object.freeze({ b: "x", a: Object.freeze({ k: "v", l: "w" }) });
  const unfit = Object.freeze({ a: Object.freeze({ l: "w", k: "v" }), b: "x" });
  const items = Object.freeze(["x"]);
  const result = canonicalize(schema, { unfit, fit, list: items });
  expect([result["fit"], result["list"]].map((part, i) => part === [fit, items][i])).toEqual([true, true]);
  expect(encodeJson(result["unfit"] ?? null)).toBe('{"b":"x","a":{"k":"v","l":"w"}}');
});

test("__proto__ is an ordinary key", () => {
  const schema = struct({ map: [map(scalar("string"))] });
  const object: JsonObject = JSON.parse('{"map":{"__proto__":"x"}}');
  expect(text(schema, object)).toBe('{"map":{"__proto__":"x"}}');
  expect(encodeJson(canonicalizeUntyped(object))).toBe('{"map":{"__proto__":"x"}}');
});

describe("objects of every kind of the catalog", () => {
  const catalog = catalogOf({ release: "1.32" });
  const kinds = catalog
    .groupVersions()
    .flatMap((gv) => catalog.resources(gv).map(({ kind }) => ({ ...gv, kind })))
    .flatMap((gvk) => {
      const schema = catalog.kind(gvk);
      return schema === undefined ? [] : [{ gvk, schema }];
    });

  test("do not change if they are in canonical form", () => {
    fc.assert(
      fc.property(
        fc
          .constantFrom(...kinds)
          .chain(({ gvk, schema }) => fc.tuple(fc.constant(schema), kindArbitrary(gvk, schema))),
        ([schema, object]) => {
          const { object: decoded, strictErrors } = decodeInto(schema, readJson(encodeJson(object)));
          expect(strictErrors).toEqual([]);
          expect(encodeJson(canonicalize(schema, decoded))).toBe(encodeJson(object));
        },
      ),
      { numRuns: 200 },
    );
  });

  test("have metadata whose keys can be sorted at once", () => {
    const objectMeta = objectMetaOf(catalog);
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds).chain(({ gvk, schema }) => kindArbitrary(gvk, schema)),
        ({ metadata }) => {
          if (!isJsonObject(metadata)) return;
          const sorted = canonicalizeUntyped(canonicalize(objectMeta, metadata));
          expect(encodeJson(canonicalizeSorted(objectMeta, metadata))).toBe(encodeJson(sorted));
          const before = deepFreeze(sorted);
          expect(encodeJson(canonicalizeSorted(objectMeta, metadata, before))).toBe(encodeJson(sorted));
        },
      ),
      { numRuns: 100 },
    );
  });

  test.each([
    ["canonicalize", canonicalize],
    ["canonicalizeStored", canonicalizeStored],
  ])("have the same result from %s with any previous object", (_name, form) => {
    fc.assert(
      fc.property(
        fc
          .constantFrom(...kinds)
          .chain(({ schema }) => fc.tuple(fc.constant(schema), arbitrary(schema, 4), arbitrary(schema, 4))),
        ([schema, value, other]) => {
          const { object } = decodeInto(schema, value as JsonObject);
          const before = decodeInto(schema, { ...(value as JsonObject), ...(other as JsonObject) }).object;
          const alone = encodeJson(form(schema, object));
          expect(encodeJson(form(schema, object, form(schema, before)))).toBe(alone);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    ["canonicalize", canonicalize],
    ["canonicalizeStored", canonicalizeStored],
  ])("do not change after %s and a round trip through JSON", (_name, form) => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds).chain(({ schema }) => fc.tuple(fc.constant(schema), arbitrary(schema, 5))),
        ([schema, value]) => {
          const object = decodeInto(schema, value as JsonObject).object;
          const once = encodeJson(form(schema, object));
          expect(encodeJson(form(schema, form(schema, object)))).toBe(once);
          const decoded = decodeInto(schema, readJson(once));
          expect(decoded.strictErrors).toEqual([]);
          expect(encodeJson(form(schema, decoded.object))).toBe(once);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Values of a schema. They are empty below a maximum depth. */
function arbitrary(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case "scalar":
      return scalars[schema.scalar];
    case "list":
      return depth === 0 ? fc.constant([]) : fc.array(arbitrary(schema.items, depth - 1), { maxLength: 2 });
    case "map":
      return depth === 0
        ? fc.constant({})
        : fc.dictionary(fc.string({ maxLength: 3 }), arbitrary(schema.values, depth - 1), { maxKeys: 2 });
    case "either":
      return fc.oneof(...schema.alternatives.map((alternative) => arbitrary(alternative, depth)));
    case "struct": {
      if (depth === 0) return fc.constant({});
      const fields = fc.shuffledSubarray([...schema.fields], {
        maxLength: Math.min(6, schema.fields.length),
      });
      return fields.chain((chosen) =>
        fc.record(
          Object.fromEntries(chosen.map(({ name, schema: type }) => [name, arbitrary(type, depth - 1)])),
        ),
      );
    }
  }
}

const anything = fc.constantFrom({ b: 1, a: 2 }, [], "x", 1.5, true);
const scalars: { readonly [type in ScalarType]: fc.Arbitrary<unknown> } = {
  string: fc.string({ maxLength: 4 }),
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  uint32: fc.nat(),
  uint64: fc.nat(),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  float: fc.nat(),
  bytes: fc.base64String(),
  time: fc.constantFrom("2020-01-01T00:00:00Z", "2020-02-29T10:00:00.5+05:30", "0001-01-01T00:00:00Z", null),
  microtime: fc.constantFrom("2020-01-01T00:00:00.000000Z", "2020-01-01T10:00:00.123456-01:00", null),
  duration: fc.constantFrom("1h", "0", "-1.5ms"),
  quantity: fc.constantFrom("1024Mi", "0.5", "1", 5, "1e3", "0"),
  intOrString: fc.oneof(fc.integer(), fc.constant("50%")),
  rawExtension: anything,
  json: anything,
  fieldsV1: fc.constant({ "f:a": {} }),
  unknown: anything,
};
