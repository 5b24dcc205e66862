import { expect, test } from "vitest";
import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import { amountsFrom, roundedAmounts } from "./resource-list.ts";

test.each([
  ["1", "1"],
  ["100m", "100m"],
  ["1.5", "1500m"],
  ["100u", "1m"],
  ["1000001n", "2m"],
  ["-1100u", "-2m"],
  ["1Gi", "1Gi"],
  ["1.5Gi", "1536Mi"],
  ["0", "0"],
  ["99999999999999999999", "99999999999999999999"],
  ["1e3", "1e3"],
])("an amount of %s is kept as %s", (sent, kept) => {
  const struct: MutableJsonObject = { limits: { cpu: sent } };
  roundedAmounts("limits", "requests")(struct);
  expect(struct).toEqual({ limits: { cpu: kept } });
});

test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
  ["nothing to copy", { to: { a: "1" } }, { to: { a: "1" } }],
  ["all of it", { from: { a: "1" } }, { from: { a: "1" }, to: { a: "1" } }],
  [
    "what is missing",
    { from: { a: "1", b: "2" }, to: { a: "3" } },
    { from: { a: "1", b: "2" }, to: { a: "3", b: "2" } },
  ],
])("amounts are copied: %s", (_, sent, expected) => {
  const struct: MutableJsonObject = { ...sent };
  amountsFrom("from", "to")(struct);
  expect(struct).toEqual(expected);
});

test("resources can have the names of inherited properties", () => {
  const struct: MutableJsonObject = { from: JSON.parse('{"__proto__":"1","constructor":"2"}') };
  amountsFrom("from", "to")(struct);
  roundedAmounts("to")(struct);
  expect(JSON.stringify(struct["to"])).toBe('{"__proto__":"1","constructor":"2"}');
});
