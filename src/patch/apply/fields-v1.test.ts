import { describe, expect, test } from "vitest";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import { emptySet } from "./field-set.ts";
import { setOf } from "./field-set-algebra.ts";
import { fieldSetOfFieldsV1, fieldsV1 } from "./fields-v1.ts";

describe("FieldsV1", () => {
  test("in canonical form is the set itself", () => {
    const value = { "f:data": { ".": {}, "f:a": {} }, "f:metadata": { "f:finalizers": { 'v:"x"': {} } } };
    expect(fieldSetOfFieldsV1(value)).toBe(value);
    expect(fieldsV1(fieldSetOfFieldsV1(value))).toBe(value);
    expect(fieldSetOfFieldsV1(value)).toEqual(
      setOf(["f:data"], ["f:data", "f:a"], ["f:metadata", "f:finalizers", 'v:"x"']),
    );
  });

  test.each<[string, JsonValue, JsonValue]>([
    ["null is the empty set", null, {}],
    ["elements are sorted", { "f:b": {}, "f:a": {} }, { "f:a": {}, "f:b": {} }],
    ["the container comes first", { "f:a": { "f:b": {}, ".": {} } }, { "f:a": { ".": {}, "f:b": {} } }],
    ["a container without children is a leaf", { "f:a": { ".": {} } }, { "f:a": {} }],
    ["null below an element makes it a leaf", { "f:a": null }, { "f:a": {} }],
    [
      "the value at the container is ignored",
      { "f:a": { ".": 7, "f:b": {} } },
      { "f:a": { ".": {}, "f:b": {} } },
    ],
    ["the whole object is in no set", { ".": {}, "f:a": {} }, { "f:a": {} }],
    [
      "the fields at the container are ignored",
      { "f:a": { ".": { "f:c": {} }, "f:b": {} } },
      { "f:a": { ".": {}, "f:b": {} } },
    ],
    [
      "a container that is not in the set stays out of it",
      { "f:a": { "f:c": {}, "f:b": {} } },
      { "f:a": { "f:b": {}, "f:c": {} } },
    ],
    [
      "keys are sorted",
      { 'k:{"b":1,"a":2}': { ".": {}, "f:c": {} } },
      { 'k:{"a":2,"b":1}': { ".": {}, "f:c": {} } },
    ],
    ["elements of unknown kinds are dropped", { "x:1": { "f:a": {} }, "f:b": {} }, { "f:b": {} }],
    ["a node with only unknown kinds becomes a leaf", { "f:a": { "x:1": {} } }, { "f:a": {} }],
  ])("%s", (_title, value, set) => {
    expect(JSON.stringify(fieldSetOfFieldsV1(value))).toBe(JSON.stringify(set));
  });

  test.each<[string, JsonValue]>([
    ["text", "f:a"],
    ["a list", []],
    ["a node that is not an object", { "f:a": 1 }],
    ["a key without a kind", { data: {} }],
    ["a key without content", { f: {} }],
    ["keys that are not JSON", { "k:name=a": {} }],
  ])("is not %s", (_title, value) => {
    expect(() => fieldSetOfFieldsV1(value)).toThrow(DecodeError);
  });

  test.each<[JsonValue, string]>([
    ["f:a", "fieldsV1 is no object"],
    [{ "f:a": 1 }, "expect { or n"],
  ])("%j is refused with a message", (value, message) => {
    expect(() => fieldSetOfFieldsV1(value)).toThrow(message);
  });

  test("of an empty set is always the same object", () => {
    expect(fieldSetOfFieldsV1(null)).toBe(emptySet);
  });
});
