import fc from "fast-check";
import { expect, test } from "vitest";
import { itemizedListType, scalarType } from "./apply-type.ts";
import { areAligned, haveRepeated, indexItems, itemElements } from "./list-item.ts";
import { valueElement } from "./path-element.ts";

test("the items of a set are identified by their JSON", () => {
  const { list } = itemizedListType(scalarType("untyped"), []);
  const items = ["a", "", "<", '"', "\\", "\u2028", 5, -5, 0.5, 1e21, 9_007_199_254_740_993n, true];
  expect(list && itemElements(list, items)).toEqual(items.map(valueElement));
});

test("a list is indexed by its elements, and duplicate items are together", () => {
  expect([...indexItems(["v:1", "v:2", "v:1"], [1, 2, 1])]).toEqual([
    ["v:1", [1, 1]],
    ["v:2", [2]],
  ]);
});

test("a list has duplicates if an element occurs twice, however long it is", () => {
  const element = fc.nat(30).map((n) => `v:${n}`);
  fc.assert(
    fc.property(fc.array(element, { maxLength: 20 }), (elements) => {
      expect(haveRepeated(elements)).toBe(new Set(elements).size !== elements.length);
    }),
  );
});

test.each([
  ["a b", "a b", true],
  ["", "", true],
  ["a b", "b a", false],
  ["a c", "b c", false],
  ["a b", "a", false],
  ["a", "a b", false],
  ["a b a", "a b a", false],
])("the lists %j and %j have the same elements in the same order, each once: %j", (a, b, expected) => {
  expect(areAligned(a.split(" "), b.split(" "))).toBe(expected);
});
