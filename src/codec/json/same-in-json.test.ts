import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../apimachinery/json.ts";
import { encodeJson, readJson } from "./json.ts";
import { isSameInJson } from "./same-in-json.ts";

const json = fc
  .jsonValue({ stringUnit: "binary", maxDepth: 5 })
  // A JsonValue by construction.
  .map((value) => value as JsonValue);

test("what stays the same is what the parser reads, in the same order", () => {
  fc.assert(
    fc.property(json, (value) => {
      fc.pre(isSameInJson(value));
      const parsed = readJson(encodeJson(value));
      expect(parsed).toEqual(value);
      expect(JSON.stringify(parsed)).toBe(JSON.stringify(value));
    }),
  );
});

test.each<[string, JsonValue, boolean]>([
  ["texts, integers, booleans and null", { a: ["b", 1, -2, true, null] }, true],
  ["characters that Go escapes", { a: "<&>\u2028" }, true],
  ["a key that JavaScript keeps apart", JSON.parse('{"__proto__":1}'), true],
  ["a fraction", [0.5], false],
  ["a negative zero", [-0], false],
  ["an integer that a number cannot hold", [2n ** 60n], false],
  ["a number beyond the safe integers", [2 ** 53], false],
  ["half a character", ["\ud800"], false],
  ["half a character in a key", { "\udc00": 1 }, false],
  ["a key that JavaScript puts first", { b: 1, 2: 3 }, false],
  // Objects from JavaScript may have such members, which are not JSON.
  ["a member that is undefined", Object({ a: undefined }), false],
  ["more levels than anyone needs", nested(101), false],
])("%s", (_title, value, expected) => {
  expect(isSameInJson(value)).toBe(expected);
});

function nested(levels: number): JsonValue {
  return levels === 0 ? [] : [nested(levels - 1)];
}
