import fc from "fast-check";
import { expect, test } from "vitest";
import { unsharedBytes } from "./unshared-bytes.ts";

test("a value shares everything with itself", () => {
  const value = { a: [1, { b: "text" }] };
  expect(unsharedBytes(value, value)).toBe(0);
});

test.each<[value: object, other: object | undefined, bytes: number]>([
  [{}, undefined, 24],
  [{ ab: 1, c: null, d: true }, undefined, 24 + 3 * 8 + 4],
  [{ a: "xyz" }, undefined, 24 + 8 + 1 + 24 + 3],
  [[1, "x"], undefined, 24 + 2 * 8 + 24 + 1],
  [{ a: {} }, { a: {} }, 24 + 8 + 1 + 24],
  [{ a: "x" }, { a: "x" }, 24 + 8 + 1 + 24 + 1],
  [{ 0: {} }, [{}], 24 + 8 + 1 + 24],
  [[{}], { 0: {} }, 24 + 8 + 24],
  [{ a: {} }, { a: "x" }, 24 + 8 + 1 + 24],
  [{ a: { b: {} } }, { a: null }, 24 + 8 + 1 + 24 + 8 + 1 + 24],
])(
  "an object has 24 bytes, a member 8 and its name, a text 24 and its length: %j beside %j",
  (value, other, bytes) => {
    expect(unsharedBytes(value, other)).toBe(bytes);
  },
);

test("a list does not share the members of an object, nor the reverse", () => {
  const part = { text: "x".repeat(100) };
  expect(unsharedBytes([part], { 0: part })).toBeGreaterThan(100);
  expect(unsharedBytes([part], [part])).toBe(32);
});

test("a shared part does not count", () => {
  const big = { text: "x".repeat(10_000) };
  const [before, after] = [
    { big, n: 1 },
    { big, n: 2 },
  ];
  expect(unsharedBytes(before, after)).toBeLessThan(100);
  expect(unsharedBytes(before, undefined)).toBeGreaterThan(10_000);
  expect(unsharedBytes(before, { n: 1, other: big })).toBeGreaterThan(10_000);
  expect(unsharedBytes([big, 1], [big, 2])).toBeLessThan(100);
});

test("no value has fewer bytes than the text of its JSON without punctuation", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const texts: string[] = [];
      JSON.stringify(value, (key, part) => {
        texts.push(key, typeof part === "string" ? part : "");
        return part;
      });
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      // Indexes of lists are keys for JSON.stringify, and need no memory.
      const indexes = texts.filter((text) => /^\d+$/.test(text)).join("").length;
      expect(unsharedBytes(value, undefined)).toBeGreaterThanOrEqual(length - indexes);
    }),
  );
});
