import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalDuration, formatDuration, parseDuration, parseDurationMilliseconds } from "./duration.ts";
import { humanDuration } from "./go/human-duration.ts";

describe("a duration", () => {
  test.each([
    ["0", "0s"],
    ["0s", "0s"],
    ["5s", "5s"],
    ["90s", "1m30s"],
    ["1h", "1h0m0s"],
    ["1h2m3.5s", "1h2m3.5s"],
    ["1.5h", "1h30m0s"],
    ["-1.5h", "-1h30m0s"],
    ["+5s", "5s"],
    [".5s", "500ms"],
    ["5.s", "5s"],
    ["1500us", "1.5ms"],
    ["1500ns", "1.5µs"],
    ["1\u00b5s", "1µs"],
    ["1\u03bcs", "1µs"],
    ["42ns", "42ns"],
    ["0.0000000019s", "1ns"],
    ["1s1s", "2s"],
    ["9223372036854775807ns", "2562047h47m16.854775807s"],
    ["-9223372036854775808ns", "-2562047h47m16.854775808s"],
  ])("%s becomes %s", (text, expected) => {
    expect(canonicalDuration(text)).toBe(expected);
  });

  test.each([
    ["", 'time: invalid duration ""'],
    ["-", 'time: invalid duration "-"'],
    ["abc", 'time: invalid duration "abc"'],
    [".s", 'time: invalid duration ".s"'],
    ["5", 'time: missing unit in duration "5"'],
    ["1.2.3s", 'time: missing unit in duration "1.2.3s"'],
    ["5x", 'time: unknown unit "x" in duration "5x"'],
    ["1d", 'time: unknown unit "d" in duration "1d"'],
    ["5 s", 'time: unknown unit " s" in duration "5 s"'],
    ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
    ["99999999h", 'time: invalid duration "99999999h"'],
    ["1é", 'time: unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"'],
  ])("%j is invalid: %s", (text, message) => {
    expect(() => parseDuration(text)).toThrow(message);
  });

  test("survives formatting and parsing", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (duration) => {
        expect(parseDuration(formatDuration(duration))).toBe(duration);
      }),
    );
  });

  test("counts in milliseconds", () => {
    expect(parseDurationMilliseconds("1m0.25s")).toBe(60_250);
  });
});

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

test.each([
  [-2 * second, "<invalid>"],
  [-1999, "0s"],
  [-1, "0s"],
  [0, "0s"],
  [119 * second + 999, "119s"],
  [2 * minute, "2m"],
  [2 * minute + second, "2m1s"],
  [9 * minute + 59 * second, "9m59s"],
  [10 * minute + 59 * second, "10m"],
  [179 * minute, "179m"],
  [3 * hour, "3h"],
  [3 * hour + minute, "3h1m"],
  [8 * hour + 59 * minute, "8h"],
  [47 * hour, "47h"],
  [48 * hour, "2d"],
  [49 * hour, "2d1h"],
  [8 * day + hour, "8d"],
  [729 * day, "729d"],
  [2 * year, "2y"],
  [2 * year + day, "2y1d"],
  [8 * year + 100 * day, "8y"],
])("an age of %i ms is %s", (milliseconds, expected) => {
  expect(humanDuration(milliseconds)).toBe(expected);
});
