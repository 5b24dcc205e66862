import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonValue, jsonEqual } from "./json.ts";
import { jsonKey } from "./json-key.ts";

// Few different values, so that equal ones occur.
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, true, 1, 1n, -0, "1", "a", ""),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b"), tie("value")),
  ),
}));

test("equal values share a key, and others do not", () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(jsonKey(a) === jsonKey(b)).toBe(jsonEqual(a, b));
    }),
    { numRuns: 2000 },
  );
});

test("the order of members does not matter", () => {
  expect(jsonKey({ a: 1, b: [2] })).toBe(jsonKey({ b: [2], a: 1 }));
});
