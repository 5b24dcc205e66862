import { describe, expect, test } from "vitest";
import { callbackFailed, compacted, future, restored, StorageError, tooSlow } from "./storage-error.ts";

const requested = { requested: 3, compactRevision: 5, revision: 9 };

describe("StorageError", () => {
  test.each([
    ["compacted", () => compacted(requested), "revision 3 has been compacted, the oldest is 5", requested],
    ["future", () => future(requested), "revision 3 is yet to come, the newest is 9", requested],
    ["tooSlow", () => tooSlow(7), "the watcher left more than 7 events unread", undefined],
    ["restored", () => restored(), "the store was restored from a snapshot", undefined],
    ["callbackFailed", () => callbackFailed("why"), "the watcher's callback threw", undefined],
  ])("%s", (reason, made, message, revisions) => {
    const error = made();
    expect(error).toBeInstanceOf(StorageError);
    expect([error.name, error.reason, error.message]).toEqual(["StorageError", reason, message]);
    expect(error.requested).toEqual(revisions);
  });

  test("a failed callback is named as the cause", () => {
    expect(callbackFailed("why").cause).toBe("why");
    expect("cause" in restored()).toBe(false);
  });

  test("is recognized in any copy of the modules, by its name", () => {
    expect(Object.assign(new Error("foreign"), { name: "StorageError" })).toBeInstanceOf(StorageError);
    expect(new Error("another")).not.toBeInstanceOf(StorageError);
    expect({ name: "StorageError" }).not.toBeInstanceOf(StorageError);
    expect(undefined).not.toBeInstanceOf(StorageError);
  });
});
