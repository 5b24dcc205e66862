import { expect, test } from "vitest";
import { parseIntProblem } from "./parse-int.ts";

test.each(["0", "-0", "+7", "007", "9223372036854775807", "-9223372036854775808", `${"0".repeat(50)}1`])(
  "%j is a number of 64 bits",
  (text) => {
    expect(parseIntProblem(text)).toBeUndefined();
  },
);

test.each([
  ["", "invalid syntax"],
  ["-", "invalid syntax"],
  ["1.5", "invalid syntax"],
  ["1 ", "invalid syntax"],
  ["9223372036854775808", "value out of range"],
  ["-9223372036854775809", "value out of range"],
  ["9".repeat(30), "value out of range"],
])("%j is not: %s", (text, problem) => {
  expect(parseIntProblem(text)).toBe(`strconv.ParseInt: parsing "${text}": ${problem}`);
});
