import { describe, expect, test } from "vitest";
import type { JsonValue } from "../apimachinery/json.ts";
import { discardNulls, listWithoutDirectives, withoutDirectives } from "./added-value.ts";

describe("a value that a patch adds", () => {
  test.each<[JsonValue, JsonValue | undefined]>([
    ["a", "a"],
    [null, null],
    [{}, {}],
    [
      { a: null, b: [null] },
      { a: null, b: [null] },
    ],
    [{ $patch: "delete", a: 1 }, undefined],
    [{ $patch: null }, undefined],
    [{ a: { $patch: "replace" }, b: 1 }, { b: 1 }],
    [{ a: { b: { $patch: "merge", c: 1 }, d: 2 } }, { a: { d: 2 } }],
    [
      [{ $patch: "delete" }, { a: [{ $patch: "delete" }, 1] }, [{ $patch: "x" }]],
      [{ a: [1] }, []],
    ],
    [
      { a$patch: 1, $patches: 2 },
      { a$patch: 1, $patches: 2 },
    ],
    [JSON.parse('{"__proto__":{"$patch":"delete"},"toString":{"a":{"$patch":"delete"}}}'), { toString: {} }],
  ])("%j without directives is %j", (value, expected) => {
    expect(withoutDirectives(structuredClone(value))).toStrictEqual(expected);
  });

  test("that is a list loses the objects with directives", () => {
    expect(listWithoutDirectives([1, { $patch: "delete" }, null, { a: { $patch: "" } }])).toStrictEqual([
      1,
      null,
      {},
    ]);
  });

  test.each<[JsonValue, JsonValue]>([
    ["a", "a"],
    [null, null],
    [
      { a: null, b: 0, c: "", d: false },
      { b: 0, c: "", d: false },
    ],
    [{ a: { b: null, c: { d: null } } }, { a: { c: {} } }],
    [
      [null, { a: null }, [{ b: null }, null]],
      [null, {}, [{}, null]],
    ],
  ])("%j without nulls is %j", (value, expected) => {
    const copy = structuredClone(value);
    discardNulls(copy);
    expect(copy).toStrictEqual(expected);
  });
});
