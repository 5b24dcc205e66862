import { describe, expect, test } from "vitest";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { emptySet } from "./field-set.ts";
import { setOf } from "./field-set-algebra.ts";
import { fieldSetOfFieldsV1, fieldsV1 } from "./fields-v1.ts";

describe("FieldsV1", () => {
  test("in upstream's form is the set itself", () => {
    const value = { "f:data": { ".": {}, "f:a": {} }, "f:metadata": { "f:finalizers": { 'v:"x"': {} } } };
    expect(fieldSetOfFieldsV1(value)).toBe(value);
    expect(fieldsV1(fieldSetOfFieldsV1(value))).toBe(value);
    expect(fieldSetOfFieldsV1(value)).toEqual(
      setOf(["f:data"], ["f:data", "f:a"], ["f:metadata", "f:finalizers", 'v:"x"']),
    );
  });

  test.each<[string, JsonValue, JsonValue]>([
    ["null is the set of nothing", null, {}],
    ["elements are put in order", { "f:b": {}, "f:a": {} }, { "f:a": {}, "f:b": {} }],
    ["the container comes first", { "f:a": { "f:b": {}, ".": {} } }, { "f:a": { ".": {}, "f:b": {} } }],
    ["a container with nothing in it is a leaf", { "f:a": { ".": {} } }, { "f:a": {} }],
    ["null below an element makes it a leaf", { "f:a": null }, { "f:a": {} }],
    [
      "whatever stands at the container is ignored",
      { "f:a": { ".": 7, "f:b": {} } },
      { "f:a": { ".": {}, "f:b": {} } },
    ],
    ["the whole object is in no set", { ".": {}, "f:a": {} }, { "f:a": {} }],
    [
      "keys are put in order",
      { 'k:{"b":1,"a":2}': { ".": {}, "f:c": {} } },
      { 'k:{"a":2,"b":1}': { ".": {}, "f:c": {} } },
    ],
    ["kinds of elements that nobody knows are left out", { "x:1": { "f:a": {} }, "f:b": {} }, { "f:b": {} }],
    ["and leave a leaf behind", { "f:a": { "x:1": {} } }, { "f:a": {} }],
  ])("%s", (_title, value, set) => {
    expect(JSON.stringify(fieldSetOfFieldsV1(value))).toBe(JSON.stringify(set));
  });

  test.each<[string, JsonValue]>([
    ["text", "f:a"],
    ["a list", []],
    ["something else than an object below an element", { "f:a": 1 }],
    ["a key without a kind", { data: {} }],
    ["a key without content", { f: {} }],
    ["keys that are no JSON", { "k:name=a": {} }],
  ])("is not %s", (_title, value) => {
    expect(() => fieldSetOfFieldsV1(value)).toThrow(DecodeError);
  });

  test("of nothing is one object", () => {
    expect(fieldSetOfFieldsV1(null)).toBe(emptySet);
  });
});
