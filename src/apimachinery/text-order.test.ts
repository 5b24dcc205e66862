import fc from "fast-check";
import { expect, test } from "vitest";
import { compareText } from "./text-order.ts";

test("text is ordered by its UTF-8 bytes", () => {
  const text = fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  expect(compareText("\uffee", "\u{10000}")).toBeLessThan(0);
});
