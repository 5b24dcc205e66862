import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeFieldName, unescapeFieldName } from "./field-names.ts";

test.each([
  ["a", "a"],
  ["a__dot__b", "a.b"],
  ["a__dash____slash__b", "a-/b"],
  ["__underscores__a", "__a"],
  ["__if__", "if"],
  ["a__if__", undefined],
  ["__other__", undefined],
  ["a__b", "a__b"],
])("the expression name %s is the property %s", (name, property) => {
  expect(unescapeFieldName(name)).toBe(property);
});

test("an escaped name is unescaped to the same name", () => {
  const parts = fc.array(fc.constantFrom("a", "B", ".", "-", "/", "_", "__", "if", "in", "dot"));
  fc.assert(
    fc.property(parts, (pieces) => {
      const name = pieces.join("");
      const escaped = escapeFieldName(name);
      if (escaped !== undefined) expect(unescapeFieldName(escaped)).toBe(name);
    }),
  );
});
