import { expect, test } from "vitest";
import { splitJsonDocuments } from "./json-documents.ts";

test.each([
  ["one value", '{"a":1}', ['{"a":1}']],
  ["values that follow each other", '{"a":[{}]}\n[1] {"b":2}\n', ['{"a":[{}]}', "\n[1]", ' {"b":2}']],
  ["brackets inside strings", '{"a":"}{\\"]"}{}', ['{"a":"}{\\"]"}', "{}"]],
  ["an end that is missing stays missing", '{"a":{"b"', ['{"a":{"b"']],
  ["only white space", " \n", []],
])("%s", (_title, text, pieces) => {
  expect(splitJsonDocuments(text)).toEqual(pieces);
});
