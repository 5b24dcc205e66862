import { describe, expect, test } from "vitest";
import { everySort as type } from "../../../test/arbitraries/typed-fields.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { scalarType } from "./apply-type.ts";
import { customResourceType } from "./custom-resource-type.ts";
import { emptySet, type FieldSet, type Path } from "./field-set.ts";
import { setOf } from "./field-set-algebra.ts";
import { extractItems, removeItems, withNamedFields } from "./remove.ts";

describe("removing the fields of a set", () => {
  const removed = (value: JsonValue, ...paths: readonly Path[]) => removeItems(type, value, setOf(...paths));

  test.each<[string, JsonObject, readonly Path[], JsonValue]>([
    ["a scalar", { scalar: "a", number: 1 }, [["f:scalar"]], { number: 1 }],
    [
      "a field and what is below it",
      { struct: { a: "x", b: { c: "y" } }, number: 1 },
      [["f:struct"]],
      { number: 1 },
    ],
    [
      "a field below another, which stays",
      { struct: { a: "x", b: { c: "y" } } },
      [["f:struct", "f:b"]],
      { struct: { a: "x" } },
    ],
    [
      "the last field of a structure",
      { struct: { a: "x" }, number: 1 },
      [["f:struct", "f:a"]],
      { struct: null, number: 1 },
    ],
    ["a key of a map", { map: { a: "x", b: "y" } }, [["f:map", "f:a"]], { map: { b: "y" } }],
    ["the last key of a map", { map: { a: "x" } }, [["f:map", "f:a"]], { map: null }],
    [
      "a key named as a method of objects",
      { map: { toString: "x", b: "y" } },
      [["f:map", "f:toString"]],
      { map: { b: "y" } },
    ],
    ["an item of a set", { set: ["a", "b"] }, [["f:set", 'v:"a"']], { set: ["b"] }],
    ["the last item of a set", { set: ["a"] }, [["f:set", 'v:"a"']], { set: null }],
    [
      "an item of a keyed list",
      { keyed: [{ name: "a" }, { name: "b" }] },
      [["f:keyed", 'k:{"name":"a"}']],
      { keyed: [{ name: "b" }] },
    ],
    [
      "a field of an item",
      { keyed: [{ name: "a", value: "x" }, { name: "b" }] },
      [["f:keyed", 'k:{"name":"a"}', "f:value"]],
      { keyed: [{ name: "a" }, { name: "b" }] },
    ],
    [
      "what is inside an atomic map, which goes as a whole",
      { atomicMap: { a: "x", b: "y" } },
      [["f:atomicMap", "f:a"]],
      { atomicMap: null },
    ],
    [
      "what is inside an atomic list, which goes as a whole",
      { atomicList: [{ name: "a" }] },
      [["f:atomicList", "i:0"]],
      { atomicList: null },
    ],
    [
      "what is inside an empty map or list",
      { map: {}, set: [] },
      [
        ["f:map", "f:a"],
        ["f:set", 'v:"a"'],
      ],
      { map: null, set: null },
    ],
    ["what is inside a scalar, which stays", { scalar: "a" }, [["f:scalar", "f:a"]], { scalar: "a" }],
  ])("takes %s", (_title, value, paths, expected) => {
    const before = structuredClone(value);
    expect(removed(value, ...paths)).toEqual(expected);
    expect(value).toEqual(before);
  });

  test("leaves a value that loses nothing as the very same object", () => {
    const value: JsonObject = { struct: { a: "x" }, set: ["a"], map: { a: "x" } };
    expect(removed(value, ["f:struct", "f:b"], ["f:set", 'v:"b"'], ["f:scalar"])).toBe(value);
    expect(removed(value)).toBe(value);
    const empty = {};
    expect([removed(empty), removed([])]).toEqual([empty, []]);
  });

  test("keeps the parts that lose nothing as the very same objects", () => {
    const struct = { a: "x" };
    const items = [{ name: "a" }, { name: "b" }];
    const left = removed({ struct, keyed: items, scalar: "a" }, ["f:keyed", 'k:{"name":"a"}'], ["f:scalar"]);
    expect(left).toEqual({ struct, keyed: [items[1]] });
    expect((left as { struct: JsonValue }).struct).toBe(struct);
    expect((left as { keyed: JsonValue[] }).keyed[0]).toBe(items[1]);
  });
});

describe("extracting the fields of a set", () => {
  const extracted = (value: JsonObject, ...paths: readonly Path[]) =>
    extractItems(type, value, setOf(...paths));

  test.each<[string, JsonObject, readonly Path[], JsonObject]>([
    ["fields", { scalar: "a", number: 1 }, [["f:scalar"]], { scalar: "a" }],
    [
      "fields below others",
      { struct: { a: "x", b: { c: "y" } } },
      [["f:struct", "f:a"]],
      { struct: { a: "x" } },
    ],
    [
      "items with their keys",
      { keyed: [{ name: "a", value: "x", port: 1 }, { name: "b" }] },
      [["f:keyed", 'k:{"name":"a"}', "f:value"]],
      { keyed: [{ name: "a", value: "x" }] },
    ],
    ["items of a set", { set: ["a", "b"] }, [["f:set", 'v:"b"']], { set: ["b"] }],
    [
      "atomic parts as a whole",
      { atomicMap: { a: "x", b: "y" } },
      [["f:atomicMap", "f:a"]],
      { atomicMap: { a: "x", b: "y" } },
    ],
    [
      "atomic lists as a whole",
      { atomicList: [{ name: "a" }, { name: "b" }] },
      [["f:atomicList", 'v:"a"']],
      { atomicList: [{ name: "a" }, { name: "b" }] },
    ],
    ["null for a list", { keyed: null }, [["f:keyed"]], { keyed: null }],
    ["entries of maps without a schema", { any: { a: 1, b: 2 } }, [["f:any", "f:a"]], { any: { a: 1 } }],
    ["fields without a type", { other: 1, more: 2 }, [["f:other"]], { other: 1 }],
    [
      "items with the keys that they have",
      { twice: [{ name: "a", value: "x", tags: [] }] },
      [["f:twice", 'k:{"name":"a","port":80}', "f:value"]],
      { twice: [{ name: "a", value: "x" }] },
    ],
    ["nothing of an empty set", { scalar: "a" }, [], {}],
  ])("gives %s", (_title, value, paths, expected) => {
    expect(extracted(value, ...paths)).toEqual(expected);
  });
});

describe("a set with the structures around its fields", () => {
  test.each<[string, FieldSet, FieldSet]>([
    [
      "has structures, but neither maps nor lists",
      setOf(["f:struct", "f:b", "f:c"]),
      setOf(["f:struct"], ["f:struct", "f:b"], ["f:struct", "f:b", "f:c"]),
    ],
    [
      "has the field of a map or list",
      setOf(["f:map", "f:a"], ["f:set", 'v:"a"']),
      setOf(["f:map"], ["f:map", "f:a"], ["f:set"], ["f:set", 'v:"a"']),
    ],
    [
      "has the fields of items, not the items",
      setOf(["f:keyed"], ["f:keyed", 'k:{"name":"a"}', "f:tags", 'v:"x"']),
      setOf(
        ["f:keyed"],
        ["f:keyed", 'k:{"name":"a"}', "f:tags"],
        ["f:keyed", 'k:{"name":"a"}', "f:tags", 'v:"x"'],
      ),
    ],
    [
      "does not have the entries of a map",
      setOf(["f:maps"], ["f:maps", "f:a", "f:b"]),
      setOf(["f:maps"], ["f:maps", "f:a", "f:b"]),
    ],
  ])("%s", (_title, set, expected) => {
    expect(withNamedFields(type, set)).toEqual(expected);
  });

  test("has the structures in the entries of a map", () => {
    const text = { type: "string" };
    const structure = (properties: JsonObject): JsonObject => ({ type: "object", properties });
    const entries = structure({ b: structure({ c: text }) });
    const maps = customResourceType(structure({ map: { type: "object", additionalProperties: entries } }), {
      objectMeta: scalarType("untyped"),
      preserveUnknownFields: false,
    });
    const path: Path = ["f:map", "f:x", "f:b", "f:c"];
    const whole = setOf(path.slice(0, 1), path.slice(0, 3), path);
    expect(withNamedFields(maps, setOf(path))).toEqual(whole);
  });

  test("is the very same set if nothing is missing", () => {
    const set = setOf(["f:struct"], ["f:struct", "f:a"], ["f:scalar"]);
    expect(withNamedFields(type, set)).toBe(set);
    expect(withNamedFields(undefined, set)).toBe(set);
    expect(withNamedFields(type, emptySet)).toBe(emptySet);
  });
});
