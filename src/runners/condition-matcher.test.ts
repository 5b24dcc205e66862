import { expect, test } from "vitest";
import { type ExpectedCondition, toHaveCondition } from "./condition-matcher.ts";

const ready = {
  type: "Ready",
  status: "False",
  reason: "CrashLoop",
  message: "back-off 5m0s",
  observedGeneration: 2,
};
const object = { status: { conditions: [{ type: "Synced", status: "True" }, ready] } };

test.each<[type: string, expected: ExpectedCondition, pass: boolean]>([
  ["Synced", {}, true],
  ["Ready", {}, false],
  ["Ready", { status: "False" }, true],
  ["Ready", { status: "False", reason: "CrashLoop", message: /back-off \d+m/g, observedGeneration: 2 }, true],
  ["Ready", { status: "False", message: "back-off" }, false],
  ["Missing", { status: "False" }, false],
])("%s with %j: %s", (type, expected, pass) => {
  expect(toHaveCondition(object, type, expected).pass).toBe(pass);
});

test.each([
  [
    toHaveCondition(object, "Missing").message(),
    "The object has no condition Missing. It has Synced (True), Ready (False)",
  ],
  [toHaveCondition({}, "Ready").message(), "The object has no condition Ready. It has no conditions"],
  [
    toHaveCondition(object, "Ready", { reason: "Ready", message: /up/ }).message(),
    'The condition Ready differs:\n  status is "False", expected "True"\n  reason is "CrashLoop", expected "Ready"\n  message is "back-off 5m0s", expected /up/',
  ],
  [
    toHaveCondition(object, "Synced").message(),
    'Expected the object not to have this condition:\n  {"type":"Synced","status":"True"}',
  ],
])("the message %j", (message, expected) => {
  expect(message).toBe(expected);
});

test("what is no object has no conditions", () => {
  expect(() => toHaveCondition(undefined, "Ready")).toThrow(
    "toHaveCondition needs an object with a status, not undefined",
  );
});
