import fc from "fast-check";
import { expect, test } from "vitest";
import { DuplicateKeys, NumberLiteral, type ParsedJson } from "../apimachinery/go/parsed-json.ts";
import { documentText } from "./document-text.ts";

const repeated = new DuplicateKeys([
  ["a", 1],
  ["b", new NumberLiteral("1e3")],
  ["a", [true, null]],
]);

test.each<[title: string, value: ParsedJson, text: string]>([
  ["numbers", new NumberLiteral("1.0"), "1.0"],
  ["the elements of a list", [1, new NumberLiteral("2.50"), "a"], '[1,2.50,"a"]'],
  ["the members of an object", { a: new NumberLiteral("1.0"), b: "<" }, '{"a":1.0,"b":"\\u003c"}'],
  ["repeated keys, in their order", repeated, '{"a":1,"b":1e3,"a":[true,null]}'],
  ["repeated keys within others", { list: [repeated] }, '{"list":[{"a":1,"b":1e3,"a":[true,null]}]}'],
])("the text of a document keeps %s", (_title, value, text) => {
  expect(documentText(value)).toBe(text);
});

test("a number that keeps its text changes nothing else of a document", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      // fast-check's type of JSON has the same values.
      const plain = JSON.parse(JSON.stringify(value)) as ParsedJson;
      const text = documentText({ value: plain, number: new NumberLiteral("1.0") });
      expect(JSON.parse(text)).toEqual({ value: plain, number: 1 });
    }),
  );
});
