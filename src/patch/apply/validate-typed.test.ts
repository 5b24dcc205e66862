import { describe, expect, test } from "vitest";
import { everySort as type } from "../../../test/arbitraries/typed-fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { scalarType } from "./apply-type.ts";
import { TypedError } from "./typed-error.ts";
import { validateTyped } from "./validate-typed.ts";

describe("checking a value against its type", () => {
  test.each<[string, JsonObject, string]>([
    ["an unknown field", { struct: { z: 1 } }, ".struct.z: field not declared in schema"],
    ["a string for a structure", { struct: "x" }, ".struct: expected map, got &{x}"],
    [
      "a list for a map",
      { map: [1, "a", null, { b: true }] },
      ".map: expected map, got &{[1 a <nil> map[b:true]]}",
    ],
    ["a string for a list", { set: "x" }, ".set: expected list, got &{x}"],
    [
      "a number for a string",
      { scalar: 1 },
      ".scalar: expected string, got &value.valueUnstructured{Value:1}",
    ],
    [
      "a large number for a string",
      { scalar: 3000000 },
      ".scalar: expected string, got &value.valueUnstructured{Value:3e+06}",
    ],
    [
      "an object for a string",
      { map: { a: { b: ["c"] } } },
      '.map.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"b":[]interface {}{"c"}}}',
    ],
    ["a string for a number", { number: "1" }, ".number: expected numeric (int or float), got string"],
    [
      "an object for a number",
      { number: {} },
      ".number: expected numeric (int or float), got map[string]interface {}",
    ],
    ["a boolean for a number", { number: true }, ".number: expected numeric (int or float), got bool"],
    ["a string for a boolean", { flag: "true" }, ".flag: expected boolean, got &{true}"],
    ["a duplicate item of a set", { set: ["a", "b", "a"] }, '.set: duplicate entries for key [="a"]'],
    [
      "a duplicate item of a keyed list",
      { twice: [{ name: "a" }, { name: "a", port: 80 }] },
      '.twice: duplicate entries for key [name="a",port=80]',
    ],
    [
      "an item without its key",
      { keyed: [{ name: "a" }, {}] },
      '.keyed: element 1: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
    ],
    [
      "a null item",
      { keyed: [null] },
      ".keyed: element 0: associative list with keys may not have a null element",
    ],
    [
      "a string item",
      { keyed: ["a"] },
      ".keyed: element 0: associative list with keys may not have non-map elements",
    ],
    [
      "a null item of a set",
      { set: [null] },
      ".set: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      "an object item of a set",
      { set: [{}] },
      ".set: element 0: associative list without keys has an element that's a map type",
    ],
    [
      "a list item of a set",
      { set: [[]] },
      ".set: element 0: not supported: associative list with lists as elements",
    ],
    [
      "a wrong value in an atomic list",
      { atomicList: [{}, { name: 1 }] },
      ".atomicList[1].name: expected string, got &value.valueUnstructured{Value:1}",
    ],
    [
      "a wrong value in an item",
      { keyed: [{ name: "a", port: "x" }] },
      '.keyed[name="a"].port: expected numeric (int or float), got string',
    ],
    ["an object for any scalar", { metadata: { a: 1 } }, ".metadata: expected any scalar, got &{map[a:1]}"],
    [
      "a wrong value after an unknown field",
      { struct: { z: 1 }, scalar: 1 },
      "errors:\n  .struct.z: field not declared in schema\n  .scalar: expected string, got &value.valueUnstructured{Value:1}",
    ],
    [
      "several wrong values",
      { scalar: 1, number: "x" },
      "errors:\n  .scalar: expected string, got &value.valueUnstructured{Value:1}\n  .number: expected numeric (int or float), got string",
    ],
  ])("%s", (_title, config, message) => {
    expect(() => validateTyped(type, config, "refused")).toThrow(new TypedError([{ path: "", message }]));
  });

  test("accepts duplicate items in live objects", () => {
    expect(() =>
      validateTyped(type, { set: ["a", "a"], keyed: [{ name: "a" }, { name: "a" }] }, "allowed"),
    ).not.toThrow();
  });

  test("accepts what fits, in fields and alone", () => {
    const value = { scalar: "a", number: 9_007_199_254_740_993n, flag: true, map: { a: "x" } };
    expect(() => validateTyped(type, value, "refused")).not.toThrow();
    for (const scalar of [1, 1n, "a", true, null])
      expect(() => validateTyped(scalarType("untyped"), scalar, "refused")).not.toThrow();
    expect(() => validateTyped(scalarType("boolean"), false, "refused")).not.toThrow();
    expect(() => validateTyped(scalarType("numeric"), 1n, "refused")).not.toThrow();
  });

  test("does not hide an error that no value causes", () => {
    const item = Object.defineProperty({}, "name", {
      get: () => {
        throw new Error("broken");
      },
    });
    expect(() => validateTyped(type, { keyed: [item] }, "refused")).toThrow(new Error("broken"));
  });

  test("accepts null and empty values", () => {
    expect(() =>
      validateTyped(
        type,
        { scalar: null, map: null, set: null, struct: {}, any: [1, { a: null }] },
        "refused",
      ),
    ).not.toThrow();
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["the same part at another place", { map: { a: 1 } }, { map: { b: 1 } }],
    ["a part beside a checked one", { scalar: "a", set: 1 }, { scalar: "a" }],
  ])("checks what was not checked: %s", (_title, value, checked) => {
    expect(() => validateTyped(type, value, "refused", checked)).toThrow(TypedError);
  });

  test("does not check what was checked at the same place", () => {
    const set = ["a", "a"];
    expect(() => validateTyped(type, { set }, "refused", { set })).not.toThrow();
  });
});
