import { describe, expect, test } from "vitest";
import { callbackFailed, compacted, future, restored, StorageError, tooSlow } from "./storage-error.ts";

const requested = { requested: 3, compactRevision: 5, revision: 9 };

describe("StorageError", () => {
  test.each([
    [compacted(requested), "compacted", "revision 3 has been compacted, the oldest is 5", requested],
    [future(requested), "future", "revision 3 is yet to come, the newest is 9", requested],
    [tooSlow(7), "tooSlow", "the watcher left more than 7 events unread", undefined],
    [restored(), "restored", "the store was restored from a snapshot", undefined],
    [callbackFailed("why"), "callbackFailed", "the watcher's callback threw", undefined],
  ])("%s", (error, reason, message, revisions) => {
    expect(error).toBeInstanceOf(StorageError);
    expect([error.reason, error.message, error.requested]).toEqual([reason, message, revisions]);
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
