import fc from "fast-check";
import { expect, test } from "vitest";
import { nearly, unlessRefused } from "../../test/arbitraries/nearly.ts";
import { DecodeError } from "./decode-error.ts";
import { canonicalDuration, formatDuration, parseDuration } from "./duration.ts";
import { canonicalQuantity, parseQuantity, type Quantity } from "./quantity.ts";

const number = fc
  .tuple(fc.constantFrom("", "+", "-"), fc.nat(), fc.constantFrom("", ".", ".0", ".125"))
  .map((parts) => parts.join(""));
const suffix = fc.constantFrom("", "n", "u", "m", "k", "Ki", "M", "Mi", "E", "Ei", "e3", "E-3", "e+40");
const quantity = nearly(
  fc.tuple(number, suffix).map((parts) => parts.join("")),
  "0123456789.eEkKmMnui+- ",
);
const duration = nearly(
  fc
    .array(fc.tuple(number, fc.constantFrom("h", "m", "s", "ms", "us", "µs", "ns")), { maxLength: 3 })
    .map((parts) => parts.flat().join("")),
  "0123456789.hmsnuµ+- ",
);

/** Go knows no suffix above E, and writes 1000E as 1. */
function hasNoSuffix(amount: Quantity): boolean {
  const beyond = parseQuantity("1000E");
  return (
    amount.format === "DecimalSI" && (amount.compare(beyond) >= 0 || amount.negate().compare(beyond) >= 0)
  );
}

test("1000E is written as 1, as in Go", () => expect(canonicalQuantity("1000E")).toBe("1"));

test("a text is a quantity, which has one canonical form, or refused with a DecodeError", () => {
  fc.assert(
    fc.property(quantity, (text) => {
      const canonical = unlessRefused(() => canonicalQuantity(text), DecodeError);
      if (canonical === undefined || hasNoSuffix(parseQuantity(text))) return;
      expect(parseQuantity(canonical).compare(parseQuantity(text))).toBe(0);
      // As in Go, a text that loses its binary suffix is read as a decimal number the next time.
      const again = canonicalQuantity(canonical);
      if (!text.trim().endsWith("i")) expect(again).toBe(canonical);
      expect(canonicalQuantity(again)).toBe(again);
      expect(parseQuantity(again).toString()).toBe(again);
    }),
    { numRuns: 3000 },
  );
});

test("a text is a duration, which has one canonical form, or refused with a DecodeError", () => {
  fc.assert(
    fc.property(duration, (text) => {
      const value = unlessRefused(() => parseDuration(text), DecodeError);
      if (value === undefined) return;
      expect(parseDuration(formatDuration(value))).toBe(value);
      expect(canonicalDuration(canonicalDuration(text))).toBe(canonicalDuration(text));
    }),
    { numRuns: 3000 },
  );
});
