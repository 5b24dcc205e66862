import { expect, test } from "vitest";
import { boolean, integerFrom, numberFrom, oneOf } from "./option-types.ts";

test.each([
  ["a boolean", boolean, "true", true],
  ["a boolean", boolean, "false", false],
  ["a boolean", boolean, "yes", undefined],
  ["a number", numberFrom(1), "1.5", 1.5],
  ["a number", numberFrom(1), "0.5", undefined],
  ["a number", numberFrom(1), "", undefined],
  ["an integer", integerFrom(0), "0", 0],
  ["an integer", integerFrom(0), "1.5", undefined],
  ["an integer", integerFrom(0), "9007199254740992", undefined],
  ["a choice", oneOf(429, "open"), "429", 429],
  ["a choice", oneOf(429, "open"), "open", "open"],
  ["a choice", oneOf(429, "open"), "430", undefined],
])("%s from text: %s %j means %j", (_title, type, written, meant) => {
  const value = type.fromText?.(written);
  expect(type.isValid(value) ? value : undefined).toBe(meant);
});
