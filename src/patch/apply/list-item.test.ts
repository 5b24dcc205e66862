import fc from "fast-check";
import { expect, test } from "vitest";
import { haveRepeated } from "./list-item.ts";

test("a list has duplicates if an element occurs twice, however long it is", () => {
  const element = fc.nat(30).map((n) => `v:${n}`);
  fc.assert(
    fc.property(fc.array(element, { maxLength: 20 }), (elements) => {
      expect(haveRepeated(elements)).toBe(new Set(elements).size !== elements.length);
    }),
  );
});
