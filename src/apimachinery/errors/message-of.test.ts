import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { messageOf } from "./message-of.ts";

it("says what an error of this or of another realm says", () => {
  const foreign: unknown = runInNewContext('new Error("broken")');
  expect(foreign instanceof Error).toBe(false);
  expect([messageOf(foreign), messageOf(new TypeError("wrong")), messageOf(new Error())]).toEqual([
    "broken",
    "wrong",
    "",
  ]);
});

it("says what else was thrown", () => {
  expect(["plain", undefined, null, 7].map(messageOf)).toEqual(["plain", "undefined", "null", "7"]);
});
