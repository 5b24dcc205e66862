import { describe, expect, test } from "vitest";
import { everySort as type } from "../../../test/arbitraries/typed-fields.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { deepFreeze } from "../../store/deep-freeze.ts";
import { changedFields, compareObjects } from "./compare.ts";
import { type FieldSet, pathsOf } from "./field-set.ts";
import { setOf } from "./field-set-algebra.ts";
import { addedNode, fieldSetOf } from "./field-set-of.ts";
import { fieldSetOfFieldsV1 } from "./fields-v1.ts";
import { formatPath } from "./path-element.ts";
import { extractItems, removeItems, withNamedFields } from "./remove.ts";

const textOf = (set: FieldSet): readonly string[] => [...pathsOf(set)].map(formatPath);

describe("an applied configuration owns", () => {
  test.each<[string, JsonObject, readonly string[]]>([
    ["its scalars", { scalar: "x", number: 1 }, [".number", ".scalar"]],
    ["fields that it sets to null", { scalar: null, map: null, set: null }, [".map", ".scalar", ".set"]],
    ["the entries of a map, but not the map", { map: { a: "1", b: "2" } }, [".map.a", ".map.b"]],
    ["an empty map", { map: {} }, [".map"]],
    ["an atomic map as a whole", { atomicMap: { a: "1" } }, [".atomicMap"]],
    [
      "the fields of a structure, but not the structure",
      { struct: { a: "1", b: { c: "2" } } },
      [".struct.a", ".struct.b.c"],
    ],
    ["an empty structure", { struct: { b: {} } }, [".struct.b"]],
    ["an atomic list as a whole", { atomicList: [{ name: "a" }] }, [".atomicList"]],
    ["an empty atomic list", { atomicList: [] }, [".atomicList"]],
    ["the items of a set", { set: ["b", "a"] }, ['.set[="a"]', '.set[="b"]']],
    ["nothing in an empty set", { set: [] }, []],
    [
      "items and their fields",
      { keyed: [{ name: "a", value: "1" }] },
      ['.keyed[name="a"]', '.keyed[name="a"].name', '.keyed[name="a"].value'],
    ],
    [
      "items by all their keys, with defaults",
      { twice: [{ name: "a" }] },
      ['.twice[name="a",port=80]', '.twice[name="a",port=80].name'],
    ],
    ["maps in maps", { maps: { a: { b: "1" }, c: {} } }, [".maps.a", ".maps.c", ".maps.a.b"]],
    [
      "untyped maps by entry and untyped lists as a whole",
      { any: { a: [1], b: { c: 1 } } },
      [".any.a", ".any.b", ".any.b.c"],
    ],
  ])("%s", (_title, object, paths) => {
    expect(textOf(fieldSetOf(type, object)).toSorted()).toEqual(paths.toSorted());
  });
});

describe("an added value", () => {
  test.each<[string, JsonValue, JsonObject]>([
    [
      "is in the set with its containers",
      { struct: { b: { c: "1" } } },
      { "f:struct": { ".": {}, "f:b": { ".": {}, "f:c": {} } } },
    ],
    [
      "is in the set with its lists",
      { keyed: [{ name: "a" }] },
      { "f:keyed": { ".": {}, 'k:{"name":"a"}': { ".": {}, "f:name": {} } } },
    ],
    ["is a leaf if it is empty", { set: [], map: {} }, { "f:map": {}, "f:set": {} }],
  ])("%s", (_title, object, set) => {
    const { ".": _self, ...below } = addedNode(type, object);
    expect(below).toEqual(set);
  });
});

describe("two objects differ", () => {
  const one = { name: "a", value: "1" };
  test.each<
    [
      string,
      JsonObject,
      JsonObject,
      { readonly removed?: string[]; readonly modified?: string[]; readonly added?: string[] },
    ]
  >([
    ["in nothing", { map: { a: "1", b: "2" } }, { map: { b: "2", a: "1" } }, {}],
    ["in a scalar", { scalar: "1" }, { scalar: "2" }, { modified: [".scalar"] }],
    ["in a scalar that becomes null", { scalar: "1" }, { scalar: null }, { modified: [".scalar"] }],
    [
      "in entries of a map",
      { map: { a: "1", b: "1" } },
      { map: { a: "2", c: "1" } },
      { removed: [".map.b"], modified: [".map.a"], added: [".map.c"] },
    ],
    ["in a new map", {}, { map: { a: "1" } }, { added: [".map", ".map.a"] }],
    ["in the first entry of a map", { map: {} }, { map: { a: "1" } }, { added: [".map.a"] }],
    ["in an empty map that becomes null", { map: {} }, { map: null }, { modified: [".map"] }],
    ["in a map that becomes empty", { map: null }, { map: {} }, { modified: [".map"] }],
    [
      "in the values of maps in maps",
      { maps: { a: { b: "1", c: "1" } } },
      { maps: { a: { b: "2", c: "1" } } },
      { modified: [".maps.a.b"] },
    ],
    ["not in fields without a type", { other: 1 }, { other: 2, another: 1 }, {}],
    ["in an atomic map", { atomicMap: { a: "1" } }, { atomicMap: { a: "2" } }, { modified: [".atomicMap"] }],
    ["not in the order of a set", { set: ["a", "b"] }, { set: ["b", "a"] }, {}],
    [
      "in items of a set",
      { set: ["a", "b"] },
      { set: ["b", "c"] },
      { removed: ['.set[="a"]'], added: ['.set[="c"]'] },
    ],
    ["not in equal atomic lists", { atomicList: [{ name: "a" }] }, { atomicList: [{ name: "a" }] }, {}],
    ["in the first item of a set", { set: [] }, { set: ["a"] }, { added: ['.set[="a"]'] }],
    ["in the last item of a set", { set: ["a"] }, { set: [] }, { removed: ['.set[="a"]'] }],
    ["in an empty set that becomes null", { set: [] }, { set: null }, { modified: [".set"] }],
    [
      "in a value of an item in its place",
      { keyed: [one, { name: "b" }] },
      { keyed: [{ ...one, value: "2" }, { name: "b" }] },
      { modified: ['.keyed[name="a"].value'] },
    ],
    [
      "in the order of an atomic list",
      { atomicList: [{ name: "a" }, {}] },
      { atomicList: [{}, { name: "a" }] },
      { modified: [".atomicList"] },
    ],
    [
      "in fields of items",
      { keyed: [one, { name: "b" }] },
      { keyed: [{ name: "b" }, { ...one, value: "2" }] },
      { modified: ['.keyed[name="a"].value'] },
    ],
    [
      "in removed items",
      { keyed: [one] },
      { keyed: [] },
      { removed: ['.keyed[name="a"]', '.keyed[name="a"].name', '.keyed[name="a"].value'] },
    ],
    ["in kind, to a scalar", { any: { a: 1 } }, { any: "x" }, { removed: [".any.a"], modified: [".any"] }],
    ["in kind, to a list", { any: { a: 1 } }, { any: [] }, { removed: [".any.a"], modified: [".any"] }],
    ["in kind, to nothing in it", { any: "x" }, { any: {} }, { modified: [".any"] }],
    ["in kind", { any: "x" }, { any: { a: 1 } }, { modified: [".any"], added: [".any.a"] }],
    [
      "in an item that was duplicated",
      { keyed: [one, one] },
      { keyed: [one, { name: "a" }] },
      { modified: ['.keyed[name="a"]'] },
    ],
    [
      "in an item that becomes duplicated",
      { keyed: [one] },
      { keyed: [one, one] },
      {
        removed: ['.keyed[name="a"]', '.keyed[name="a"].name', '.keyed[name="a"].value'],
        added: ['.keyed[name="a"]'],
      },
    ],
    ["in a new duplicated item", { keyed: [] }, { keyed: [one, one] }, { added: ['.keyed[name="a"]'] }],
    [
      "in a duplicated item that is removed",
      { keyed: [one, one] },
      { keyed: [] },
      { removed: ['.keyed[name="a"]'] },
    ],
    [
      "in an item that has one duplicate more",
      { keyed: [one, one] },
      { keyed: [one] },
      {
        removed: ['.keyed[name="a"]'],
        added: ['.keyed[name="a"]', '.keyed[name="a"].name', '.keyed[name="a"].value'],
      },
    ],
  ])("%s", (_title, before, after, { removed = [], modified = [], added = [] }) => {
    const comparison = compareObjects(type, before, after);
    expect(textOf(comparison.removed).toSorted()).toEqual(removed);
    expect(textOf(comparison.modified).toSorted()).toEqual(modified);
    expect(textOf(comparison.added).toSorted()).toEqual(added);
    const changed = textOf(changedFields(type, before, after)).toSorted();
    expect(changed).toEqual([...modified, ...added].toSorted());
  });
});

test("differences are in the order of FieldsV1, whatever the order of keys and fields", () => {
  const after = { struct: { b: { c: "1" }, a: "1" }, map: { b: "1", a: "1" } };
  const { added, modified } = compareObjects(type, { struct: { b: {}, a: "" }, map: { c: "1" } }, after);
  expect(JSON.stringify([added, modified])).toBe(
    '[{"f:map":{"f:a":{},"f:b":{}},"f:struct":{"f:b":{"f:c":{}}}},{"f:struct":{"f:a":{}}}]',
  );
  const changed = changedFields(type, { struct: {}, map: {} }, after);
  expect(JSON.stringify(changed)).toBe(
    '{"f:map":{"f:a":{},"f:b":{}},"f:struct":{"f:a":{},"f:b":{".":{},"f:c":{}}}}',
  );
});

describe("removing a set of fields", () => {
  const object = {
    scalar: "1",
    map: { a: "1", b: "1" },
    keyed: [{ name: "a", value: "1" }, { name: "b" }],
    set: ["x", "y"],
  };
  test.each<[string, JsonObject, JsonObject]>([
    [
      "removes fields",
      { "f:scalar": {}, "f:map": { "f:a": {} } },
      { map: { b: "1" }, keyed: object.keyed, set: ["x", "y"] },
    ],
    [
      "removes items",
      { "f:keyed": { 'k:{"name":"a"}': {} }, "f:set": { 'v:"x"': {} } },
      { scalar: "1", map: object.map, keyed: [{ name: "b" }], set: ["y"] },
    ],
    [
      "removes fields of items",
      { "f:keyed": { 'k:{"name":"a"}': { "f:value": {} } } },
      { ...object, keyed: [{ name: "a" }, { name: "b" }] },
    ],
    [
      "sets a map that loses all entries to null",
      { "f:map": { "f:a": {}, "f:b": {} } },
      { ...object, map: null },
    ],
  ])("%s", (_title, set, left) => {
    expect(removeItems(type, object, fieldSetOfFieldsV1(set))).toEqual(left);
  });

  test("that do not exist returns the same object", () => {
    expect(removeItems(type, object, setOf(["f:struct"], ["f:map", "f:z"]))).toBe(object);
    expect(removeItems(type, object, setOf(["f:keyed", 'k:{"name":"z"}']))).toBe(object);
  });
});

test("extracting a set of fields keeps these fields and the keys of items", () => {
  const object = {
    scalar: "1",
    map: { a: "1", b: "1" },
    twice: [
      { name: "a", port: 1, value: "1" },
      { name: "b", port: 2 },
    ],
  };
  const set = fieldSetOfFieldsV1({
    "f:map": { "f:a": {} },
    "f:twice": { 'k:{"name":"a","port":1}': { "f:value": {} } },
  });
  expect(extractItems(type, object, set)).toEqual({
    map: { a: "1" },
    twice: [{ name: "a", port: 1, value: "1" }],
  });
});

test("withNamedFields adds structures, but no maps and no items", () => {
  const set = fieldSetOfFieldsV1({
    "f:struct": { "f:b": { "f:c": {} } },
    "f:maps": { "f:x": { "f:y": {} } },
    "f:keyed": { 'k:{"name":"a"}': { "f:value": {} } },
  });
  expect(withNamedFields(type, set)).toEqual({
    "f:struct": { ".": {}, "f:b": { ".": {}, "f:c": {} } },
    "f:maps": { ".": {}, "f:x": { "f:y": {} } },
    "f:keyed": { ".": {}, 'k:{"name":"a"}': { "f:value": {} } },
  });
});

test("__proto__ and similar names are ordinary keys", () => {
  const object: JsonObject = JSON.parse('{"map":{"__proto__":"1","constructor":"2"}}');
  const paths = [".map.__proto__", ".map.constructor"];
  expect(textOf(fieldSetOf(type, object)).toSorted()).toEqual(paths);
  expect(textOf(compareObjects(type, { map: { a: "1" } }, object).added).toSorted()).toEqual(paths);
  expect(removeItems(type, object, setOf(["f:map", "f:toString"]))).toBe(object);
});

describe("objects that share frozen parts are compared as if each were alone", () => {
  const before: JsonObject = { scalar: "x", struct: { a: "1" }, set: ["a"] };
  const struct: JsonObject = deepFreeze({ a: "2", b: { c: "3" } });
  const set: JsonValue = deepFreeze(["a", "b"]);

  test.each<[string, readonly JsonObject[]]>([
    [
      "shared parts",
      [
        { struct, set },
        { struct, set },
        { scalar: "y", struct, set },
      ],
    ],
    ["parts that disappear and return", [{ struct, set }, { scalar: "x" }, { struct, set }]],
    ["equal parts", [{ struct }, { struct: structuredClone(struct) }]],
    ["no changes", [{ ...before }, { ...before }]],
  ])("%s", (_title, objects) => {
    const found = objects.map((after) => compareObjects(type, before, after));
    expect(found).toEqual(objects.map((after) => compareObjects(type, before, structuredClone(after))));
  });

  test("a part that cannot be compared fails each time, and changes nothing for others", () => {
    const broken: JsonValue = deepFreeze([{}]);
    for (const _ of [1, 2]) {
      expect(() => compareObjects(type, before, { struct, set: broken })).toThrow("map type");
    }
    expect(compareObjects(type, before, { struct, set })).toEqual(
      compareObjects(type, before, structuredClone({ struct, set })),
    );
  });
});
