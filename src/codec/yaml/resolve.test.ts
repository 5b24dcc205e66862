import { expect, test } from "vitest";
import { parseYaml } from "./yaml.ts";

// Go has a separate pattern for numbers that start with a decimal point.
test.each([
  [".0_6", 0.06],
  [".3_3E+1_0", 3_300_000_000],
  ["._6", "._6"],
  [".6_", ".6_"],
  [".6__6", ".6__6"],
  [".6_e3", ".6_e3"],
  [".6e_3", ".6e_3"],
  [".6e+400", ".6e+400"],
  ["+._6_", 0.6],
])("a fraction may have underscores between its digits: %s", (text, value) => {
  expect(parseYaml(`a: ${text}`)).toEqual({ a: value });
});

test.each([
  ["aGk=", "hi"],
  ['"aG\\nk="', "hi"],
  ["/z==", "\ufffd"],
  ["8J+YYQ==", "\ufffd\ufffd\ufffda"],
  ["77u/YQ==", "\ufeffa"],
  ["''", ""],
])("the bytes of !!binary %s become text, and each byte that is not UTF-8 is replaced", (base64, value) => {
  expect(parseYaml(`a: !!binary ${base64}`)).toEqual({ a: value });
});

test.each([["/0"], ["aGk"], ['"a Gk="'], ["_w=="], ["aGk=="]])("!!binary %s is not base64", (text) => {
  expect(() => parseYaml(`a: !!binary ${text}`)).toThrow("yaml: !!binary value contains invalid base64 data");
});

test.each([
  ["0b-11", -3],
  ["0b_-1_1", -3],
  ["0b+11", 3],
  ["-0b-11", "-0b-11"],
  ["0B-11", "0B-11"],
  ["0x-11", "0x-11"],
  [`0b-1${"0".repeat(63)}`, -(2n ** 63n)],
  [`0b+1${"0".repeat(63)}`, `0b+1${"0".repeat(63)}`],
])("a binary number may have its sign after the prefix: %s", (text, value) => {
  expect(parseYaml(`a: ${text}`)).toEqual({ a: value });
});

test("a date is text unless its tag is !!timestamp", () => {
  const message = "yaml: cannot decode !!str `2020-01-01` as a !!int";
  expect(() => parseYaml("a: !!int 2020-01-01")).toThrow(message);
  expect(parseYaml("a: !!timestamp 2020-01-01")).toEqual({ a: "2020-01-01" });
});
