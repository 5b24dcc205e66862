import { expect, test } from "vitest";
import { Keyspace } from "./keyspace.ts";
import { Snapshot } from "./snapshot.ts";
import { Version } from "./stored-value.ts";

test("a snapshot opens the same state any number of times", () => {
  const keyspace = Keyspace.empty<{ n: number }>(1);
  keyspace.write(new Version("put", "a", { n: 1 }, {}, 2, undefined), undefined, 0);
  const snapshot = new Snapshot(keyspace.fork());
  for (let n = 0; n < 2; n++) {
    const opened = snapshot.open();
    opened.write(new Version("put", "a", { n: 9 }, {}, 3, undefined), undefined, 0);
    opened.compact(3);
    expect([opened.revision, opened.get("a", 3)?.value]).toEqual([3, { n: 9 }]);
    expect([snapshot.revision, snapshot.open().compactRevision]).toEqual([2, 1]);
    expect(snapshot.open().get("a", 2)?.value).toEqual({ n: 1 });
  }
});

test("a rewritten snapshot opens the state with other values, and leaves the first one as it is", () => {
  const keyspace = Keyspace.empty<{ n: number }>(1);
  keyspace.write(new Version("put", "a", { n: 1 }, {}, 2, undefined), undefined, 0);
  const snapshot = new Snapshot(keyspace);
  const opened = snapshot.rewritten([{ n: 5 }], 30).open();
  expect([opened.get("a", 2)?.value, snapshot.open().get("a", 2)?.value]).toEqual([{ n: 5 }, { n: 1 }]);
  opened.expire(29);
  expect(opened.compactRevision).toBe(1);
  opened.expire(30);
  expect(opened.compactRevision).toBe(2);
});
