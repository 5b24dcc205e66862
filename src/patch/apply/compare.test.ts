import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { widget } from "../../../test/arbitraries/random-widget.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { type ApplyType, atomicType, deducedType, mapType, scalarType } from "./apply-type.ts";
import { changedFields, compareObjects } from "./compare.ts";
import { emptySet } from "./field-set.ts";
import { union } from "./field-set-algebra.ts";

interface Pair {
  readonly type: ApplyType;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

const pair: fc.Arbitrary<Pair> = widget.chain(({ type, config }) =>
  fc.record({ type: fc.constant(type), before: fc.oneof(fc.constant({}), config), after: config }),
);

const textMap = mapType("granular", scalarType("string"));

test("an object has no differences from itself", () => {
  const object = { a: "1" };
  expect(compareObjects(textMap, object, object)).toEqual({
    removed: emptySet,
    modified: emptySet,
    added: emptySet,
  });
});

test("the differences of large maps are in the order of FieldsV1", () => {
  const keys = Array.from({ length: 80 }, (_, i) => `${10 + i}`).reverse();
  // Keys that are no numbers stay in the order in which they are written.
  const after = Object.fromEntries(keys.map((key) => [`k${key}`, "1"]));
  const elements = keys.map((key) => `f:k${key}`).reverse();
  expect(Object.keys(compareObjects(textMap, { z: "1" }, after).added)).toEqual(elements);
  expect(Object.keys(changedFields(textMap, { z: "1" }, after))).toEqual(elements);
});

describe("changedFields", () => {
  test("of an atomic value are the value as a whole", () => {
    expect(changedFields(atomicType, { a: 1 }, { a: 2 })).toEqual(emptySet);
  });

  test("of a value that becomes a map contain the value and the entries", () => {
    expect(changedFields(deducedType, "x", { a: 1 })).toEqual({ ".": {}, "f:a": {} });
  });

  test("is the union of the modified and the added fields, in the same order", () => {
    fc.assert(
      fc.property(pair, ({ type, before, after }) => {
        const { modified, added } = compareObjects(type, before, after);
        const changed = changedFields(type, before, after);
        expect(JSON.stringify(changed)).toBe(JSON.stringify(union(modified, added)));
      }),
      { numRuns: 300 },
    );
  });

  test("of an object and itself is empty", () => {
    fc.assert(
      fc.property(pair, ({ type, after }) => {
        expect(changedFields(type, after, structuredClone(after))).toEqual(emptySet);
      }),
    );
  });
});
