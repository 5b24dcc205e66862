import fc from "fast-check";
import { expect, test } from "vitest";
import { repeats } from "./repeats.ts";

test("a value is repeated if its first place is before", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("", "a", "b", "__proto__")), (values) => {
      expect(repeats(values)).toEqual(values.map((value, i) => values.indexOf(value) < i));
    }),
  );
});
