import { describe, expect, test } from "vitest";
import { everySort as type } from "../../../test/arbitraries/typed-fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { mergeObjects } from "./merge.ts";

describe("a configuration that is merged into an object", () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    [
      "removes nothing",
      { scalar: "1", map: { a: "1" } },
      { map: { b: "1" } },
      { scalar: "1", map: { a: "1", b: "1" } },
    ],
    ["replaces scalars", { scalar: "1" }, { scalar: "2" }, { scalar: "2" }],
    [
      "replaces atomic values",
      { atomicMap: { a: "1" }, atomicList: [{ name: "a" }] },
      { atomicMap: { b: "1" }, atomicList: [] },
      { atomicMap: { b: "1" }, atomicList: [] },
    ],
    ["sets a scalar to null", { scalar: "1" }, { scalar: null }, { scalar: null }],
    ["does not clear a map with null", { map: { a: "1" } }, { map: null }, { map: { a: "1" } }],
    ["does not clear a list with an empty list", { set: ["a"] }, { set: [] }, { set: ["a"] }],
    ["sets an empty map to null", { map: {} }, { map: null }, { map: null }],
    ["sets an empty list to null", { set: [] }, { set: null }, { set: null }],
    ["does not clear a list with null", { set: ["a"] }, { set: null }, { set: ["a"] }],
    [
      "merges items by their keys",
      { keyed: [{ name: "a", value: "1" }] },
      { keyed: [{ name: "a", port: 1 }] },
      { keyed: [{ name: "a", value: "1", port: 1 }] },
    ],
    [
      "matches an omitted key with its default",
      { twice: [{ name: "a", port: 80 }] },
      { twice: [{ name: "a", value: "1" }] },
      { twice: [{ name: "a", port: 80, value: "1" }] },
    ],
    [
      "replaces duplicate items",
      { keyed: [{ name: "a", value: "1" }, { name: "a" }] },
      { keyed: [{ name: "a", port: 1 }] },
      { keyed: [{ name: "a", port: 1 }] },
    ],
    [
      "keeps other duplicate items",
      { keyed: [{ name: "a" }, { name: "a" }] },
      { keyed: [{ name: "b" }] },
      { keyed: [{ name: "a" }, { name: "a" }, { name: "b" }] },
    ],
    ["replaces a value of another kind", { any: [1] }, { any: { a: 1 } }, { any: { a: 1 } }],
  ])("%s", (_title, live, config, merged) => {
    expect(mergeObjects(type, live, config)).toEqual(merged);
  });

  test("treats __proto__ as an ordinary key", () => {
    const config = JSON.parse('{"map":{"__proto__":"1","constructor":"2"}}');
    const merged = mergeObjects(type, { map: { a: "1" } }, config);
    expect(JSON.stringify(merged)).toBe('{"map":{"a":"1","__proto__":"1","constructor":"2"}}');
  });

  test("keeps unchanged parts as the same objects", () => {
    const live = {
      struct: { a: "1", b: { c: "1" } },
      keyed: [{ name: "a", value: "1" }],
      atomicMap: { x: "1" },
    };
    expect(mergeObjects(type, live, structuredClone(live))).toBe(live);
    const merged = mergeObjects(type, live, { struct: { a: "2" } });
    expect((merged as typeof live).keyed).toBe(live.keyed);
    expect((merged as typeof live).struct.b).toBe(live.struct.b);
  });
});

describe("the order of a merged list", () => {
  test.each([
    ["ab", "c", "abc"],
    ["abc", "b", "abc"],
    ["abc", "ca", "bca"],
    ["ac", "abc", "abc"],
    ["abc", "bac", "bac"],
    ["abcd", "dx", "abcdx"],
    ["abcd", "xd", "abcxd"],
    ["", "ab", "ab"],
    ["aab", "b", "aab"],
    ["aab", "a", "ab"],
    ["aab", "ac", "acb"],
    ["ab", "ca", "cab"],
    ["ab", "ac", "abc"],
    ["abc", "adb", "adbc"],
    ["abc", "deac", "deabc"],
    ["abc", "deba", "debca"],
  ])("of %s and %s is %s", (live, applied, merged) => {
    expect(mergeObjects(type, { set: [...live] }, { set: [...applied] })).toEqual({ set: [...merged] });
  });
});
