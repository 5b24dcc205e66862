import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collectGarbage } from "../../test/arbitraries/collect-garbage.ts";
import { EventQueue } from "./event-queue.ts";

describe("EventQueue", () => {
  test("holds its capacity besides the replay", () => {
    const queue = new EventQueue(2, ["a", "b", "c"]);
    expect(["d", "e", "f"].map((event) => queue.push(event))).toEqual([true, true, false]);
    expect(queue.drain()).toEqual(["a", "b", "c", "d", "e"]);
    expect(["g", "h", "i"].map((event) => queue.push(event))).toEqual([true, true, false]);
  });

  test("reading the replay frees no capacity", () => {
    const queue = new EventQueue(1, ["a", "b"]);
    expect([queue.push("c"), queue.shift(), queue.push("d")]).toEqual([true, "a", false]);
    expect([queue.shift(), queue.push("d")]).toEqual(["b", false]);
    expect([queue.shift(), queue.push("d")]).toEqual(["c", true]);
  });

  test("is empty after it is cleared", () => {
    const queue = new EventQueue(2, ["a"]);
    queue.clear();
    expect([queue.size, queue.shift(), queue.drain()]).toEqual([0, undefined, []]);
  });

  test("returns events in order, and rejects them only beyond its capacity", () => {
    const step = fc.constantFrom("push", "push", "shift", "drain");
    fc.assert(
      fc.property(fc.nat(5), fc.nat(5), fc.array(step, { maxLength: 200 }), (capacity, replayed, steps) => {
        let next = 0;
        const replay = Array.from({ length: replayed }, () => ({ n: next++ }));
        const queue = new EventQueue(capacity, replay);
        const waiting = [...replay];
        let replayLeft = replayed;
        for (const one of steps) {
          const event = { n: next++ };
          if (one === "push") {
            const hasRoom = waiting.length - replayLeft < capacity;
            expect(queue.push(event)).toBe(hasRoom);
            if (hasRoom) waiting.push(event);
          } else if (one === "shift") {
            expect(queue.shift()).toBe(waiting.shift());
            replayLeft = Math.max(0, replayLeft - 1);
          } else {
            expect(queue.drain()).toEqual(waiting.splice(0));
            replayLeft = 0;
          }
          expect(queue.size).toBe(waiting.length);
        }
      }),
    );
  });

  test("does not hold the events that were read", async () => {
    const queue = new EventQueue<object>(10, []);
    const refs = Array.from({ length: 100 }, (_, n) => {
      const event = { n };
      queue.push(event);
      expect(queue.shift()).toBe(event);
      return new WeakRef(event);
    });
    await collectGarbage();
    expect(refs.filter((ref) => ref.deref() !== undefined)).toEqual([]);
    expect(queue.size).toBe(0);
  });

  test("does not change the list that it replays", () => {
    const replay = ["a", "b"];
    const queue = new EventQueue(2, replay);
    queue.push("c");
    expect([queue.shift(), queue.capacity, replay]).toEqual(["a", 2, ["a", "b"]]);
  });
});
