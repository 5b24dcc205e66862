import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

const names = ["serve", "exec", "secure-port", "port"];

test.each([
  ["sreve", "serve"],
  ["serv", "serve"],
  ["secureport", "secure-port"],
  ["secur_port", "secure-port"],
  ["prot", "port"],
  ["xyzzy", undefined],
  ["frobnicate", undefined],
])("the nearest name to %s is %s", (name, nearest) => {
  expect(nearestName(name, names)).toBe(nearest);
});
