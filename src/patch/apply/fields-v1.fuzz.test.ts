import fc from "fast-check";
import { expect, test } from "vitest";
import { unlessRefused } from "../../../test/arbitraries/nearly.ts";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { deepFreeze } from "../../store/deep-freeze.ts";
import { pathsOf } from "./field-set.ts";
import { fieldSetOfFieldsV1, fieldsV1 } from "./fields-v1.ts";

const element = fc.oneof(
  fc.constantFrom(
    ".",
    "f:a",
    "f:",
    "f:__proto__",
    "i:0",
    "i:-1",
    "i:01",
    'v:"x"',
    "v:1",
    'k:{"b":1,"a":"x"}',
    'k:{"a":1,"a":2}',
    "k:{}",
    "x:y",
    "f",
    "",
  ),
  fc
    .tuple(fc.constantFrom("f:", "i:", "v:", "k:"), fc.oneof(fc.json({ maxDepth: 1 }), fc.string()))
    .map((parts) => parts.join("")),
);
const value = fc.letrec<{ node: JsonValue }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: fc.constant<JsonValue>({}), weight: 4 },
    { arbitrary: fc.constantFrom<JsonValue>(null, 1, "x", []), weight: 1 },
    { arbitrary: fc.dictionary(element, tie("node"), { maxKeys: 4, noNullPrototype: true }), weight: 6 },
  ),
})).node;

test("a value is a set of paths with one form, or refused with a DecodeError", () => {
  fc.assert(
    fc.property(value, (given) => {
      const set = unlessRefused(() => fieldSetOfFieldsV1(deepFreeze({ given }).given), DecodeError);
      if (set === undefined) return;
      const again = fieldSetOfFieldsV1(JSON.parse(JSON.stringify(fieldsV1(set))));
      expect([...pathsOf(again)]).toEqual([...pathsOf(set)]);
      expect(JSON.stringify(again)).toBe(JSON.stringify(set));
    }),
    { numRuns: 2000 },
  );
});

test("a value as deep as JSON may be is read", () => {
  let deep: JsonObject = {};
  for (let depth = 0; depth < 900; depth += 1) deep = { "f:a": deep };
  expect([...pathsOf(fieldSetOfFieldsV1(deep))].map((path) => path.length)).toEqual([900]);
});
