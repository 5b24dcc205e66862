import { expect, test } from "vitest";
import { splitJsonDocuments } from "./json-documents.ts";

test.each([
  ["one value", '{"a":1}', ['{"a":1}']],
  ["several values", '{"a":[{}]}\n[1] {"b":2}\n', ['{"a":[{}]}', "\n[1]", ' {"b":2}']],
  ["brackets inside strings", '{"a":"}{\\"]"}{}', ['{"a":"}{\\"]"}', "{}"]],
  ["a missing end stays missing", '{"a":{"b"', ['{"a":{"b"']],
  ["only white space", " \n", []],
])("%s", (_title, text, pieces) => {
  expect(splitJsonDocuments(text)).toEqual(pieces);
});
