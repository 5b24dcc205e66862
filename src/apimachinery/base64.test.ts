import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalBase64 } from "./base64.ts";
import { DecodeError } from "./decode-error.ts";

describe("base64", () => {
  test.each([
    ["", ""],
    ["\n", ""],
    ["YWJj", "YWJj"],
    ["YW\nJ\r\nj", "YWJj"],
    ["YWI=", "YWI="],
    ["YWJ=", "YWI="],
    ["YR==", "YQ=="],
    ["YQ=\n=\n", "YQ=="],
  ])("%j becomes %j", (text, canonical) => {
    expect(canonicalBase64(text)).toBe(canonical);
  });

  test.each([
    ["a", 0],
    ["ab", 0],
    ["abc", 0],
    ["abcde", 4],
    ["abcd=", 4],
    ["=", 0],
    ["a=", 1],
    ["ab=", 3],
    ["ab=c", 2],
    ["ab==c", 4],
    ["abc=d", 4],
    ["ab$c", 2],
    ["ab\u00e9c", 2],
    ["a-b_", 1],
    ["ab\n=", 4],
  ])("%j is illegal at byte %i", (text, position) => {
    const message = `illegal base64 data at input byte ${position}`;
    expect(() => canonicalBase64(text)).toThrow(new DecodeError(message));
  });

  test("of any bytes is unchanged except for line breaks", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(), (bytes, at) => {
        const text = btoa(String.fromCharCode(...bytes));
        expect(canonicalBase64(text)).toBe(text);
        const split = at % (text.length + 1);
        expect(canonicalBase64(`${text.slice(0, split)}\n${text.slice(split)}`)).toBe(text);
      }),
    );
  });
});
