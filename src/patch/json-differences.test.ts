import { expect, test } from "vitest";
import type { JsonObject } from "../apimachinery/json.ts";
import { encodeJson, parseJson } from "../codec/json/json.ts";
import { loadCompare } from "./json-differences.ts";

const compare = await loadCompare();

function object(text: string): JsonObject {
  // Each case is an object.
  return parseJson(text) as JsonObject;
}

test.each([
  ["equal objects", '{"a":[1,{"b":2}]}', '{"a":[1,{"b":2}]}', "[]"],
  ["an added member", '{"a":{}}', '{"a":{"b":{"c":1}}}', '[{"op":"add","path":"/a/b","value":{"c":1}}]'],
  ["a removed member", '{"a":1,"b":2}', '{"b":2}', '[{"op":"remove","path":"/a"}]'],
  ["a key with slashes", "{}", '{"x/y~z":"v"}', '[{"op":"add","path":"/x~1y~0z","value":"v"}]'],
  [
    "a number that JavaScript cannot hold",
    '{"a":9007199254740993}',
    '{"a":9007199254740995}',
    '[{"op":"replace","path":"/a","value":9007199254740995}]',
  ],
  [
    "such a number in an added object",
    "{}",
    '{"a":{"b":9007199254740993}}',
    '[{"op":"add","path":"/a","value":{"b":9007199254740993}}]',
  ],
  [
    "a member of the name __proto__",
    '{"a":{}}',
    '{"a":{"__proto__":{"b":1}}}',
    '[{"op":"add","path":"/a/__proto__","value":{"b":1}}]',
  ],
])("the differences of objects with %s", (_title, before, after, patch) => {
  expect(encodeJson([...compare(object(before), object(after))])).toBe(patch);
});
