import { describe, expect, test } from "vitest";
import { isTrue, optionalBoolean, optionalInteger, textValue } from "./query-values.ts";

const query = (text: string) => new URLSearchParams(text);

test("a text is the first value, and empty if there is none", () => {
  expect([textValue(query("a=1&a=2"), "a"), textValue(query("b=1"), "a")]).toEqual(["1", ""]);
});

test.each([
  ["a", true],
  ["a=", true],
  ["a=1", true],
  ["a=no", true],
  ["a=00", true],
  ["a=0", false],
  ["a=false", false],
  ["a=FALSE", false],
  ["b=1", undefined],
])("the boolean a of %j is %j", (text, expected) => {
  expect(optionalBoolean(query(text), "a")).toBe(expected);
  expect(isTrue(query(text).get("a"))).toBe(expected ?? false);
});

describe("the integer a", () => {
  test.each([
    ["a=5", 5],
    ["a=%2B5", 5],
    ["a=-5", -5],
    ["a=007", 7],
    ["a=1&a=x", 1],
    ["b=1", undefined],
    ["a=9223372036854775807", Number(2n ** 63n)],
    ["a=-9223372036854775808", -Number(2n ** 63n)],
  ])("of %j is %j", (text, expected) => expect(optionalInteger(query(text), "a")).toBe(expected));

  test.each(["", "x", "1x", "x1", "1.5", "1e3", "%20 1", "--1", "+"])("cannot be %j", (text) => {
    const quoted = JSON.stringify(new URLSearchParams(`a=${text}`).get("a"));
    expect(() => optionalInteger(query(`a=${text}`), "a")).toThrow(
      expect.objectContaining({ code: 400, message: `strconv.ParseInt: parsing ${quoted}: invalid syntax` }),
    );
  });

  test.each(["9223372036854775808", "-9223372036854775809"])("has 64 bits, unlike %s", (text) => {
    const message = `strconv.ParseInt: parsing "${text}": value out of range`;
    expect(() => optionalInteger(query(`a=${text}`), "a")).toThrow(
      expect.objectContaining({ code: 400, message }),
    );
  });
});
