import fc from "fast-check";
import { expect, test } from "vitest";
import { unsharedBytes } from "./unshared-bytes.ts";

test("a value shares everything with itself", () => {
  const value = { a: [1, { b: "text" }] };
  expect(unsharedBytes(value, value)).toBe(0);
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
