import { describe, expect, test } from "vitest";
import { goTrim, goTrimRight } from "./go-trim.ts";

describe("trimming", () => {
  test.each([
    ["", "", ""],
    ["  ", "", ""],
    ["a", "a", "a"],
    ["  a b  ", "a b", "  a b"],
    ["a ", "a", "a"],
    [" a", "a", " a"],
    ["\ta\t", "\ta\t", "\ta\t"],
  ])("removes the blanks of %j", (text, both, right) => {
    expect([goTrim(text, " "), goTrimRight(text, " ")]).toEqual([both, right]);
  });

  test("removes each character of the set", () => {
    expect(goTrim("ab-x-ba", "ab-")).toBe("x");
    expect(goTrimRight("x/y//", "/")).toBe("x/y");
  });
});
