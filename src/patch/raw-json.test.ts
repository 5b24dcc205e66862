import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compactJson, escapeHtml, rawElements, rawMembers } from "./raw-json.ts";

/** JSON texts with structural characters in strings, and whitespace between the tokens. */
const strings = fc.string({
  unit: fc.constantFrom('"', "\\", "{", "}", "[", "]", ",", ":", " ", "\n", "a", "é"),
});
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    strings,
    fc.constantFrom(0, -1.5, 1e21, true, false, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(strings, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const indents = fc.constantFrom("", " ", "\t", "\r");

describe("for any JSON text", () => {
  test("rawMembers returns the entries of an object", () => {
    fc.assert(
      fc.property(fc.dictionary(strings, values, { noNullPrototype: true }), indents, (object, indent) => {
        const members = rawMembers(JSON.stringify(object, undefined, indent));
        expect(members.map(([key, raw]) => [key, JSON.parse(raw)])).toEqual(Object.entries(object));
      }),
    );
  });

  test("rawElements returns the elements of a list", () => {
    fc.assert(
      fc.property(fc.array(values), indents, (list, indent) => {
        const elements = rawElements(`\n${JSON.stringify(list, undefined, indent)}`);
        expect(elements.map((raw) => JSON.parse(raw))).toEqual(list);
      }),
    );
  });

  test("compactJson removes the whitespace outside strings", () => {
    fc.assert(
      fc.property(values, indents, (value, indent) => {
        expect(compactJson(` ${JSON.stringify(value, undefined, indent)}\n`)).toBe(JSON.stringify(value));
      }),
    );
  });
});

test("rawMembers keeps repeated members and the notation of numbers", () => {
  expect(rawMembers(`{ "a" : 1.50 , "a":[ 1e3, 2 ], "\\u0061b" : null }`)).toEqual([
    ["a", "1.50"],
    ["a", "[ 1e3, 2 ]"],
    ["ab", "null"],
  ]);
});

test("escapeHtml escapes HTML characters as Go does", () => {
  expect(escapeHtml(`{"a":"<b>&\u2028\u2029\\n"}`)).toBe(`{"a":"\\u003cb\\u003e\\u0026\\u2028\\u2029\\n"}`);
});
