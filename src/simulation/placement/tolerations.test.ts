import { expect, test } from "vitest";
import { isTolerated } from "./tolerations.ts";

test.each([
  ["Gt", "7", "8", true],
  ["Gt", "7", "7", false],
  ["Lt", "7", "-8", true],
  ["Lt", "7", "7", false],
  ["Lt", "9007199254740993", "9007199254740992", true],
  ["Gt", "7", "08", false],
  ["Gt", "x", "8", false],
])("with %s %s, the value %s is tolerated: %s", (operator, value, tainted, expected) => {
  const taint = { key: "sla", value: tainted, effect: "NoSchedule" };
  expect(isTolerated(taint, [{ key: "sla", operator, value }])).toBe(expected);
  expect(isTolerated(taint, [{ key: "other", operator, value }])).toBe(false);
});
