import { describe, expect, test } from "vitest";
import { ConnectionFailure } from "./connection-failure.ts";
import { BodyTooLargeError, BrokenBodyError } from "./handler.ts";

/** An error of a class that another copy of the modules defines. */
function foreign(name: string, more: object = {}): Error {
  return Object.assign(new Error("foreign"), { name }, more);
}

describe("the failure of a connection", () => {
  test.each([
    ["refused", "ECONNREFUSED", "connect ECONNREFUSED"],
    ["reset", "ECONNRESET", "read ECONNRESET"],
    ["streamReset", "ECONNRESET", "read ECONNRESET"],
    ["goneAway", "ECONNRESET", "socket hang up"],
    ["frozen", "ETIMEDOUT", "read ETIMEDOUT"],
  ] as const)("%s has Node's code %s and text %j", (kind, code, message) => {
    const failure = new ConnectionFailure(kind);
    expect(failure).toMatchObject({ name: "ConnectionFailure", kind, code, message });
    expect(ConnectionFailure.isFrozen(failure)).toBe(kind === "frozen");
  });

  test("is frozen only if it is one", () => {
    expect(ConnectionFailure.isFrozen(foreign("ConnectionFailure", { kind: "frozen" }))).toBe(true);
    expect(ConnectionFailure.isFrozen(foreign("Error", { kind: "frozen" }))).toBe(false);
    expect(ConnectionFailure.isFrozen(undefined)).toBe(false);
  });
});

test("an error of a body has its kind and text", () => {
  expect(new BrokenBodyError("late", "text")).toMatchObject({
    name: "BrokenBodyError",
    kind: "late",
    message: "text",
  });
});

test.each([
  ["ConnectionFailure", ConnectionFailure, new ConnectionFailure("reset")],
  ["BodyTooLargeError", BodyTooLargeError, new BodyTooLargeError()],
  ["BrokenBodyError", BrokenBodyError, new BrokenBodyError("late", "")],
] as const)("%s is recognized in any copy of the modules, by its name", (name, type, own) => {
  expect(own).toBeInstanceOf(type);
  expect(foreign(name)).toBeInstanceOf(type);
  expect(foreign("Error")).not.toBeInstanceOf(type);
  expect({ name }).not.toBeInstanceOf(type);
  expect(undefined).not.toBeInstanceOf(type);
});
