import fc from "fast-check";
import { expect, test } from "vitest";
import { areAligned, haveRepeated } from "./list-item.ts";

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
  ["a b", "a", false],
  ["a", "a b", false],
  ["a b a", "a b a", false],
])("the lists %j and %j have the same elements in the same order, each once: %j", (a, b, expected) => {
  expect(areAligned(a.split(" "), b.split(" "))).toBe(expected);
});
