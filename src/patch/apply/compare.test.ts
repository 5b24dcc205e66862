import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { widget } from "../../../test/arbitraries/random-widget.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { ApplyType } from "./apply-type.ts";
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

describe("changedFields", () => {
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
