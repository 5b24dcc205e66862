import { describe, expect, test } from "vitest";
import { everySort as type } from "../../../test/arbitraries/typed-fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { TypedError } from "./typed-error.ts";
import { validateTyped } from "./validate-typed.ts";

describe("a configuration that does not fit", () => {
  test.each<[string, JsonObject, string]>([
    ["a field nobody knows", { struct: { z: 1 } }, ".struct.z: field not declared in schema"],
    ["a structure that is text", { struct: "x" }, ".struct: expected map, got &{x}"],
    [
      "a map that is a list",
      { map: [1, "a", null, { b: true }] },
      ".map: expected map, got &{[1 a <nil> map[b:true]]}",
    ],
    ["a list that is text", { set: "x" }, ".set: expected list, got &{x}"],
    [
      "text that is a number",
      { scalar: 1 },
      ".scalar: expected string, got &value.valueUnstructured{Value:1}",
    ],
    [
      "text that is a big number",
      { scalar: 3000000 },
      ".scalar: expected string, got &value.valueUnstructured{Value:3e+06}",
    ],
    [
      "text that is an object",
      { map: { a: { b: ["c"] } } },
      '.map.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":[]interface {}{"c"}}}',
    ],
    ["a number that is text", { number: "1" }, ".number: expected numeric (int or float), got string"],
    [
      "a number that is an object",
      { number: {} },
      ".number: expected numeric (int or float), got map[string]interface {}",
    ],
    ["a number that is a boolean", { number: true }, ".number: expected numeric (int or float), got bool"],
    ["a boolean that is text", { flag: "true" }, ".flag: expected boolean, got &{true}"],
    [
      "an item of a set that stands twice",
      { set: ["a", "b", "a"] },
      '.set: duplicate entries for key [="a"]',
    ],
    [
      "an item of a list that stands twice",
      { twice: [{ name: "a" }, { name: "a", port: 80 }] },
      '.twice: duplicate entries for key [name="a",port=80]',
    ],
    [
      "an item without its key",
      { keyed: [{ name: "a" }, {}] },
      '.keyed: element 1: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
    ],
    [
      "an item that is null",
      { keyed: [null] },
      ".keyed: element 0: associative list with keys may not have a null element",
    ],
    [
      "an item that is text",
      { keyed: ["a"] },
      ".keyed: element 0: associative list with keys may not have non-map elements",
    ],
    [
      "an item of a set that is null",
      { set: [null] },
      ".set: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      "an item of a set that is an object",
      { set: [{}] },
      ".set: element 0: associative list without keys has an element that's a map type",
    ],
    [
      "an item of a set that is a list",
      { set: [[]] },
      ".set: element 0: not supported: associative list with lists as elements",
    ],
    [
      "something in an atomic list",
      { atomicList: [{}, { name: 1 }] },
      ".atomicList[1].name: expected string, got &value.valueUnstructured{Value:1}",
    ],
    [
      "something in an item",
      { keyed: [{ name: "a", port: "x" }] },
      '.keyed[name="a"].port: expected numeric (int or float), got string',
    ],
    [
      "several things",
      { scalar: 1, number: "x" },
      "errors:\n  .scalar: expected string, got &value.valueUnstructured{Value:1}\n  .number: expected numeric (int or float), got string",
    ],
  ])("%s", (_title, config, message) => {
    expect(() => validateTyped(type, config, "refused")).toThrow(new TypedError([{ path: "", message }]));
  });

  test("but for items that stand twice in live objects", () => {
    expect(() =>
      validateTyped(type, { set: ["a", "a"], keyed: [{ name: "a" }, { name: "a" }] }, "allowed"),
    ).not.toThrow();
  });

  test("is none where it says null or nothing", () => {
    expect(() =>
      validateTyped(
        type,
        { scalar: null, map: null, set: null, struct: {}, any: [1, { a: null }] },
        "refused",
      ),
    ).not.toThrow();
  });
});
