import { expect, test } from "vitest";
import { encodedHash, fnv32, fnv32a, safeEncoded } from "./encoded-hash.ts";

// The values of draft-eastlake-fnv.
test.each([
  ["", 0x811c9dc5, 0x811c9dc5],
  ["a", 0x050c5d7e, 0xe40c292c],
  ["foobar", 0x31f0b262, 0xbf9cf968],
])("the hashes of '%s'", (text, one, oneA) => {
  const bytes = new TextEncoder().encode(text);
  expect([fnv32(bytes), fnv32a(bytes)]).toEqual([one, oneA]);
});

test("digits become letters that form no words", () => {
  expect(safeEncoded("0123456789")).toBe("456789bcdf");
});

test("equal values have equal hashes, whatever the order of their keys, and collisions change them", () => {
  expect(encodedHash({ a: 1, b: [2] }, undefined)).toBe(encodedHash({ b: [2], a: 1 }, undefined));
  expect(encodedHash({ a: 1 }, undefined)).not.toBe(encodedHash({ a: 2 }, undefined));
  expect(encodedHash({ a: 1 }, 1)).not.toBe(encodedHash({ a: 1 }, undefined));
});
