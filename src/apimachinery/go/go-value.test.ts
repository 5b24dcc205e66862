import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goQuote } from "./go-quote.ts";
import { formatShownJson, formatShownValue, go, goFloat, type PlainShownValue } from "./go-value.ts";

describe("quoting", () => {
  test.each([
    ["", '""'],
    ["web", '"web"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ["\u0007\b\f\n\r\t\v", '"\\a\\b\\f\\n\\r\\t\\v"'],
    ["\u0000\u001f\u007f", '"\\x00\\x1f\\x7f"'],
    ["\u0080\u00a0\u00ad", '"\\u0080\\u00a0\\u00ad"'],
    ["é世界☺", '"é世界☺"'],
    ["😀", '"😀"'],
    ["\u200b\ufeff\u2028\u3000", '"\\u200b\\ufeff\\u2028\\u3000"'],
    ["\u{e0001}\u{10ffff}", '"\\U000e0001\\U0010ffff"'],
    ["\ud800x", '"\ufffdx"'],
    ["'`<>&", '"\'`<>&"'],
  ])("%j is %s", (text, expected) => {
    expect(goQuote(text)).toBe(expected);
  });

  test("is reversible", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(unquote(goQuote(text))).toBe(text);
      }),
    );
  });

  test("leaves only printable characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(goQuote(text)).toMatch(/^"[\p{L}\p{M}\p{N}\p{P}\p{S} ]*"$/u);
      }),
    );
  });
});

/** Reads a quoted string of Go, in the simplest way. */
function unquote(quoted: string): string {
  const named: Record<string, string> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
  return quoted
    .slice(1, -1)
    .replace(/\\(?:x(..)|u(....)|U(........)|(.))/g, (_all, x, u, long, one: string | undefined) =>
      one === undefined ? String.fromCodePoint(Number.parseInt(x ?? u ?? long, 16)) : (named[one] ?? one),
    );
}

describe("a shown value", () => {
  test.each<[PlainShownValue, text: string, json: string]>([
    [undefined, '"null"', "null"],
    [null, '"null"', "null"],
    ["a", '"a"', '"a"'],
    ["<\u0001>", '"<\\x01>"', '"<\\x01>"'],
    [true, "true", "true"],
    [-5, "-5", "-5"],
    [12345678n, "12345678", "12345678"],
    [9007199254740993n, "9007199254740993", "9007199254740993"],
    [12345678, "12345678", "12345678"],
    [0.5, "0.5", "0.5"],
    [1e300, "1e+300", "1e+300"],
    [[], "[]interface {}{}", "[]"],
    [["a", 1, null], '[]interface {}{"a", 1, interface {}(nil)}', '["a",1,null]'],
    [
      { b: { c: [true] }, a: 1 },
      'map[string]interface {}{"a":1, "b":map[string]interface {}{"c":[]interface {}{true}}}',
      '{"a":1,"b":{"c":[true]}}',
    ],
    [go.namedString("<"), '"<"', '"\\u003c"'],
    [go.stringer("1Gi"), "1Gi", '"1Gi"'],
    [go.time("2001-01-01T00:00:00Z"), "2001-01-01 00:00:00 +0000 UTC", '"2001-01-01T00:00:00Z"'],
    [go.time(null), "0001-01-01 00:00:00 +0000 UTC", "null"],
    [go.uint(0), "0x0", "0"],
    [go.uint(255n), "0xff", "255"],
    [go.stringSlice(["a", "b"]), '[]string{"a", "b"}', '["a","b"]'],
    [go.stringSlice([]), "[]string{}", "[]"],
    [go.nil("[]string"), "[]string(nil)", "null"],
    [go.stringMap({ b: "2", a: "1" }), 'map[string]string{"a":"1", "b":"2"}', '{"a":"1","b":"2"}'],
    [go.raw("core.Thing{}", "{}"), "core.Thing{}", "{}"],
  ])("%#: %o is %s, and %s from 1.34 on", (value, text, json) => {
    expect(formatShownValue(value)).toBe(text);
    expect(formatShownJson(value)).toBe(json);
  });

  test.each([
    [1, "1"],
    [-0, "-0"],
    [100000, "100000"],
    [1000000, "1e+06"],
    [123456.5, "123456.5"],
    [1234567.5, "1.2345675e+06"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [-1.5e-7, "-1.5e-07"],
    [Number.POSITIVE_INFINITY, "+Inf"],
    [Number.NaN, "NaN"],
  ])("the float %d is %s", (value, expected) => {
    expect(goFloat(value)).toBe(expected);
  });
});
