import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collectGarbage } from "../../test/arbitraries/collect-garbage.ts";
import { History } from "./history.ts";
import { type StoreEvent, Version } from "./stored-value.ts";

function event(revision: number): StoreEvent {
  const value = new Version("put", "k", {}, {}, revision, undefined);
  return { type: "put", revision, key: "k", value, previous: undefined };
}

/** A history with an event at each of these times. */
function historyOf(start: number, times: readonly number[]): History<object> {
  const history = new History<object>(start);
  for (const time of times) history.append(event(history.revision + 1), time, 1);
  return history;
}

function revisionsSince(history: History<object>, revision: number): number[] {
  const revisions: number[] = [];
  history.since(revision, (found) => revisions.push(found.revision));
  return revisions;
}

const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe("History", () => {
  test.each([1, 255, 256, 1000])("keeps all events after revision %d, where it starts", (start) => {
    const history = historyOf(start, upTo(1, 600));
    expect([history.compactRevision, history.revision]).toEqual([start, start + 600]);
    expect(revisionsSince(history, start)).toEqual(upTo(start + 1, start + 600));
    expect(revisionsSince(history, start + 599)).toEqual([start + 600]);
    expect(revisionsSince(history, start + 600)).toEqual([]);
  });

  test.each([0, 1, 255, 256, 257, 599, 600])("visits and drops %d events", (count) => {
    const history = historyOf(1, upTo(1, 600));
    const visited: number[] = [];
    history.trim(1 + count, (found) => visited.push(found.revision));
    expect(visited).toEqual(upTo(2, 1 + count));
    expect(history.compactRevision).toBe(1 + count);
    expect(revisionsSince(history, 1 + count)).toEqual(upTo(2 + count, 601));
    history.append(event(602), 0, 1);
    expect(revisionsSince(history, 1 + count)).toEqual(upTo(2 + count, 602));
  });

  test("rejects an event with another revision than the next, and is unchanged", () => {
    const history = historyOf(1, [1]);
    expect(() => history.append(event(4), 2, 1)).toThrow("event 4 does not follow revision 2");
    expect(revisionsSince(history, 1)).toEqual([2]);
  });

  test.each([
    [0, 1],
    [10, 2],
    [19, 2],
    [20, 4],
    [99, 5],
  ])("at time %d the newest revision was %d", (time, revision) => {
    expect(historyOf(1, [10, 20, 20, 30]).revisionAt(time)).toBe(revision);
  });

  test("is as large as its events, of which it drops the oldest", () => {
    const sizes = upTo(1, 600);
    const history = new History<object>(1);
    for (const [i, size] of sizes.entries()) history.append(event(2 + i), 0, size);
    const total = (first: number) => sizes.slice(first).reduce((sum, size) => sum + size, 0);
    expect(history.bytes).toBe(total(0));
    for (const count of [1, 254, 255, 300, 599, 600]) {
      history.trim(1 + count, () => {});
      expect([count, history.bytes]).toEqual([count, total(count)]);
    }
  });

  test.each([
    [100, 1],
    [99, 2],
    [90, 2],
    [89, 3],
    [40, 4],
    [39, 5],
    [0, 5],
  ])("the events that have %d bytes are those after revision %d", (bytes, revision) => {
    const history = new History<object>(1);
    for (const [i, size] of [10, 20, 30, 40].entries()) history.append(event(2 + i), 0, size);
    expect(history.revisionWithin(bytes)).toBe(revision);
  });

  test("drops nothing up to a revision that is dropped already", () => {
    const history = historyOf(1, upTo(1, 300));
    history.trim(270, () => {});
    history.trim(260, () => expect.unreachable());
    expect([history.compactRevision, history.bytes]).toEqual([270, 31]);
    expect(revisionsSince(history, 270)).toEqual(upTo(271, 301));
  });

  test.each([[[5, 10, 11]], [[254, 255, 256, 257]], [[100, 300, 301]], [[512]], [[600]]])(
    "holds no event that it has dropped up to %j",
    async (ends) => {
      const history = new History<object>(1);
      const refs = upTo(2, 600).map((revision) => {
        const one = event(revision);
        history.append(one, 0, 1);
        return { revision, ref: new WeakRef(one) };
      });
      for (const end of ends) history.trim(end, () => {});
      await collectGarbage();
      const held = refs.filter(({ ref }) => ref.deref() !== undefined).map(({ revision }) => revision);
      expect(held).toEqual(upTo((ends.at(-1) ?? 0) + 1, 600));
      expect(revisionsSince(history, history.compactRevision)).toEqual(held);
    },
  );

  test("a fork has its own times and sizes", () => {
    const history = historyOf(1, [10, 20]);
    const copy = history.fork();
    history.append(event(4), 30, 5);
    copy.append(event(4), 90, 7);
    expect([history, copy].map((one) => [one.revisionAt(30), one.bytes])).toEqual([
      [4, 7],
      [3, 9],
    ]);
    expect([history, copy].map((one) => one.revisionWithin(6))).toEqual([2, 4]);
    for (const one of [history, copy]) one.trim(4, () => {});
    expect([history.bytes, copy.bytes]).toEqual([0, 0]);
  });

  test("forks are independent", () => {
    const step = fc.record({ target: fc.nat(), append: fc.nat(400), trim: fc.nat(400), fork: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const all = [{ history: new History<object>(1), revisions: upTo(2, 1) }];
        for (const { target, append, trim, fork } of steps) {
          const one = all[target % all.length];
          if (one === undefined) continue;
          for (let i = 0; i < append; i++) {
            one.history.append(event(one.history.revision + 1), 0, 1);
            one.revisions.push(one.history.revision);
          }
          if (fork) all.push({ history: one.history.fork(), revisions: one.revisions.slice() });
          const last = Math.min(one.history.revision, one.history.compactRevision + trim);
          one.history.trim(last, () => {});
          one.revisions = one.revisions.filter((revision) => revision > last);
        }
        for (const { history, revisions } of all) {
          expect(revisionsSince(history, history.compactRevision)).toEqual(revisions);
        }
      }),
    );
  });
});
