import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBefore, keyAfterPrefix, needsByteOrder } from "./key-order.ts";

// Units at every boundary of the order, and any others.
const unit = fc.constantFrom(
  "\0",
  "/",
  "0",
  "a",
  "\u00e9",
  "\ud7ff",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "\u{10ffff}",
);
const key = fc.oneof(fc.string({ unit, maxLength: 5 }), fc.string({ unit: "binary", maxLength: 5 }));
const bytesBefore = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

describe("key order", () => {
  test("is the order of UTF-8 bytes", () => {
    fc.assert(fc.property(key, key, (a, b) => isBefore(a, b) === bytesBefore(a, b)));
    expect(isBefore("\uffff", "\u{1f600}")).toBe(true);
    expect("\uffff" < "\u{1f600}").toBe(false);
    expect([isBefore("\ud7ff", "\ue000"), isBefore("\ue000", "\ud7ff")]).toEqual([true, false]);
  });

  test("is that of JavaScript if one of the keys has no unit from U+D800 on", () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        fc.pre(!needsByteOrder(a) || !needsByteOrder(b));
        expect(a < b).toBe(isBefore(a, b));
      }),
    );
  });

  test("the bound after a prefix separates its keys from all later ones", () => {
    fc.assert(
      fc.property(key, key, (prefix, other) => {
        const end = keyAfterPrefix(prefix);
        const isWithin = !isBefore(other, prefix) && (end === undefined || isBefore(other, end));
        expect(isWithin).toBe(other.startsWith(prefix));
      }),
    );
  });

  test.each([
    ["a/", "a0"],
    ["", undefined],
    ["a\udfff", "b"],
    ["\udfff", undefined],
    ["a\ud7ff", "a\ue000"],
    ["a\uffff", "a\ud800"],
  ])("after %j comes %j", (prefix, end) => expect(keyAfterPrefix(prefix)).toBe(end));
});
