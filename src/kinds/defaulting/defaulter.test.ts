import { expect, test } from "vitest";
import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import { all, type Defaulter, each, ifSet, inStruct, isZero, whenUnset, whenZero } from "./defaulter.ts";

test.each<[title: string, fill: Defaulter, given: JsonObject, expected: JsonObject]>([
  ["whenUnset sets missing fields", whenUnset({ a: 1 }), {}, { a: 1 }],
  [
    "whenUnset keeps zeros",
    whenUnset({ a: 1, b: "x", c: true, d: [1] }),
    { a: 0, b: "", c: false, d: [] },
    { a: 0, b: "", c: false, d: [] },
  ],
  [
    "whenZero fills zeros",
    whenZero({ a: 1, b: "x", c: [1] }),
    { a: 0, b: "", c: [] },
    { a: 1, b: "x", c: [1] },
  ],
  ["whenZero keeps values", whenZero({ a: 1 }), { a: -1 }, { a: -1 }],
  ["inStruct makes the structure", inStruct("a", whenUnset({ b: 1 })), {}, { a: { b: 1 } }],
  [
    "inStruct fills the structure",
    inStruct("a", whenUnset({ b: 1 })),
    { a: { c: 2 } },
    { a: { b: 1, c: 2 } },
  ],
  ["ifSet does not add missing fields", ifSet("a", whenUnset({ b: 1 })), {}, {}],
  ["ifSet sets defaults in existing fields", ifSet("a", whenUnset({ b: 1 })), { a: {} }, { a: { b: 1 } }],
  [
    "each fills every item",
    each("a", whenUnset({ b: 1 })),
    { a: [{}, { b: 2 }] },
    { a: [{ b: 1 }, { b: 2 }] },
  ],
  ["each does not add missing lists", each("a", whenUnset({ b: 1 })), {}, {}],
  [
    "all applies its defaulters in order",
    all(whenUnset({ a: 1 }), whenUnset({ a: 2, b: 2 })),
    {},
    { a: 1, b: 2 },
  ],
])("%s", (_, fill, given, expected) => {
  const struct: MutableJsonObject = { ...given };
  fill(struct);
  expect(struct).toEqual(expected);
});

test("no two objects share a default", () => {
  const fill = whenUnset({ selector: { matchLabels: {} } });
  const [one, two]: MutableJsonObject[] = [{}, {}];
  for (const struct of [one, two]) if (struct) fill(struct);
  expect(one?.["selector"]).toEqual(two?.["selector"]);
  expect(one?.["selector"]).not.toBe(two?.["selector"]);
});

test.each([undefined, null, "", 0, false, [], {}])("%s is zero", (value) => expect(isZero(value)).toBe(true));

test.each(["a", 1, -1, true, [null], { a: null }])("%s is not zero", (value) =>
  expect(isZero(value)).toBe(false),
);
