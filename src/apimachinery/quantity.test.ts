import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DecodeError } from "./decode-error.ts";
import { canonicalQuantity, parseQuantity } from "./quantity.ts";

describe("the canonical text of a quantity", () => {
  test.each([
    ["0", "0"],
    ["00", "0"],
    ["-0", "0"],
    ["0Ki", "0"],
    ["0.0", "0"],
    ["+", "0"],
    [".", "0"],
    ["1", "1"],
    ["100m", "100m"],
    ["1000m", "1"],
    ["1500m", "1500m"],
    ["0.5", "500m"],
    [".5", "500m"],
    ["0.001", "1m"],
    ["1.5", "1500m"],
    ["1000", "1k"],
    ["1024", "1024"],
    ["1500", "1500"],
    ["100000", "100k"],
    ["123456789012345678", "123456789012345678"],
    ["1Gi", "1Gi"],
    ["999Ki", "999Ki"],
    ["1024Mi", "1Gi"],
    ["1000Mi", "1000Mi"],
    ["2048Ki", "2Mi"],
    ["1.5Gi", "1536Mi"],
    ["0.5Gi", "512Mi"],
    ["0.5Ki", "512"],
    ["0.1Ki", "102400m"],
    ["512Gi", "512Gi"],
    ["1e3", "1e3"],
    ["1E3", "1E3"],
    ["12e6", "12e6"],
    ["10e3", "10e3"],
    ["1000e3", "1e6"],
    ["1e-3", "1e-3"],
    ["1.5e3", "1500"],
    ["1E", "1E"],
    ["1Ei", "1Ei"],
    ["0.1n", "1n"],
    ["1.0000000001", "1000000001n"],
    ["-100m", "-100m"],
    ["-1.5Gi", "-1536Mi"],
    ["20Ei", "9223372036854775807"],
    ["9223372036854775808", "9223372036854775808"],
    ["99999999999999999999E", "99999999999999999999E"],
  ])("of %s is %s", (text, canonical) => {
    expect(parseQuantity(text).toString()).toBe(canonical);
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  test.each(["1.500", "1025Ki", "+1Gi", "01Gi", "1M"])("%s is kept as sent", (text) => {
    expect(canonicalQuantity(text)).toBe(text);
  });

  test("a power beyond the last suffix is lost, as upstream", () => {
    expect(canonicalQuantity("1000E")).toBe("1");
  });
});

describe("an invalid quantity", () => {
  const regexp =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const numeric = "unable to parse numeric part of quantity";
  const suffix = "unable to parse quantity's suffix";
  test.each([
    ["", regexp],
    ["abc", regexp],
    ["1 Gi", regexp],
    ["1..5", regexp],
    ["1.2.3", regexp],
    ["--1", suffix],
    ["1i", suffix],
    ["1e", suffix],
    ["1KiB", regexp],
    ["1-5", suffix],
    ["1mm", suffix],
    ["e-20", numeric],
    [`1e${"9".repeat(9)}`, numeric],
  ])("%j", (text, message) => {
    expect(() => parseQuantity(text)).toThrow(new DecodeError(message));
  });

  test("a text of excessive length is rejected without parsing", () => {
    expect(() => parseQuantity(`${"0".repeat(1_000_000)}x`)).toThrow(new DecodeError(numeric));
  });
});

describe("the arithmetic of quantities", () => {
  test.each([
    ["1", "500m", "1500m"],
    ["1Gi", "1Gi", "2Gi"],
    ["1Gi", "1M", "1074741824"],
    ["0", "1Gi", "1Gi"],
    ["1G", "1Gi", "2073741824"],
    ["9223372036854775807", "1", "9223372036854775808"],
  ])("%s plus %s is %s", (a, b, sum) => {
    expect(parseQuantity(a).add(parseQuantity(b)).toString()).toBe(sum);
  });

  test.each([
    ["1", "500m", "500m"],
    ["1Gi", "1Gi", "0"],
    ["0", "1Gi", "-1Gi"],
    ["1", "1500m", "-500m"],
  ])("%s minus %s is %s", (a, b, difference) => {
    expect(parseQuantity(a).sub(parseQuantity(b)).toString()).toBe(difference);
  });

  test.each([
    ["1", "1000m", 0],
    ["1Ki", "1k", 1],
    ["1n", "0", 1],
    ["-1", "1n", -1],
    ["1e900", "1E", 1],
  ])("%s compares to %s as %i", (a, b, order) => {
    expect(parseQuantity(a).compare(parseQuantity(b))).toBe(order);
  });

  test.each([
    ["5", 5n],
    ["50k", 50_000n],
    ["1Gi", 2n ** 30n],
    ["1000m", undefined],
    ["1.5Gi", undefined],
    ["99999999999999999999", undefined],
  ])("%s as an int64 is %s", (text, value) => {
    expect(parseQuantity(text).asInt64()).toBe(value);
  });

  test("rounding up is away from zero", () => {
    expect(parseQuantity("1.0001").roundUp(-3).toString()).toBe("1001m");
    expect(parseQuantity("-1.0001").roundUp(-3).toString()).toBe("-1001m");
    expect(parseQuantity("1500m").scaledValue(0)).toBe(2n);
    expect(parseQuantity("2").scaledValue(-3)).toBe(2000n);
  });

  // From 10^21 on, Go has no suffix and prints the amount without one.
  const quantity = fc
    .tuple(
      fc.bigInt({ min: -(10n ** 8n), max: 10n ** 8n }),
      fc.constantFrom("n", "u", "m", "", "k", "M", "G", "T", "Ki", "Mi", "Gi", "e3", "e-3"),
    )
    .map(([value, suffix]) => `${value}${suffix}`);

  test("parsing a canonical text gives the same amount and the same text", () => {
    fc.assert(
      fc.property(quantity, (text) => {
        const canonical = canonicalQuantity(text);
        expect(parseQuantity(canonical).compare(parseQuantity(text))).toBe(0);
        expect(canonicalQuantity(canonical)).toBe(canonical);
      }),
    );
  });

  test("adding and subtracting again gives the same amount", () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        const [left, right] = [parseQuantity(a), parseQuantity(b)];
        expect(left.add(right).sub(right).compare(left)).toBe(0);
        expect(left.add(right).compare(right.add(left))).toBe(0);
        expect(left.compare(right)).toBe(left.sub(right).sign);
      }),
    );
  });
});
