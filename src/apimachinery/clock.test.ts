import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { systemClock, type Timer, VirtualClock } from "./clock.ts";
import { TimerHeap } from "./timer-heap.ts";

describe("a virtual clock", () => {
  test("moves only when it is told to", async () => {
    const clock = new VirtualClock(1000);
    expect(clock.now()).toBe(1000);
    await clock.advance(500);
    expect(clock.now()).toBe(1500);
    await clock.advance("1m30s");
    expect(clock.now()).toBe(91_500);
  });

  test("fires in order, each at its own time, before advance returns", () => {
    const clock = new VirtualClock(0);
    const fired: string[] = [];
    clock.after(30, () => fired.push(`c@${clock.now()}`));
    clock.after(10, () => fired.push(`a@${clock.now()}`));
    clock.after(10, () => fired.push(`b@${clock.now()}`));
    clock.after(31, () => fired.push("too late"));
    void clock.advance(30);
    expect(fired).toEqual(["a@10", "b@10", "c@30"]);
    expect(clock.now()).toBe(30);
  });

  test("fires timers that were set on the way", () => {
    const clock = new VirtualClock(0);
    const fired: number[] = [];
    function again(): void {
      fired.push(clock.now());
      clock.after(10, again);
    }
    clock.after(10, again);
    void clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
  });

  test("does not fire what was cancelled, even by another timer", async () => {
    const clock = new VirtualClock(0);
    const fired: string[] = [];
    const second = clock.after(20, () => fired.push("second"));
    clock.after(10, () => second.cancel());
    const third = clock.after(30, () => fired.push("third"));
    await clock.advance(100);
    third.cancel();
    third.cancel();
    expect(fired).toEqual(["third"]);
  });

  test("gives what was waiting a turn when it is awaited", async () => {
    const clock = new VirtualClock(0);
    let isDone = false;
    async function work(): Promise<void> {
      await new Promise<void>((resolve) => clock.after(10, resolve));
      await Promise.resolve();
      isDone = true;
    }
    const working = work();
    await clock.advance(10);
    expect(isDone).toBe(true);
    await working;
  });

  test("lets no time pass for what is due at once", async () => {
    const clock = new VirtualClock(5);
    const fired = vi.fn();
    clock.after(0, fired);
    expect(fired).not.toHaveBeenCalled();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(fired).toHaveBeenCalledOnce();
    expect(clock.now()).toBe(5);
  });

  test("advances inside of a timer", () => {
    const clock = new VirtualClock(0);
    clock.after(10, () => void clock.advance(100));
    void clock.advance(20);
    expect(clock.now()).toBe(110);
  });

  test("does not go back", async () => {
    const clock = new VirtualClock(0);
    await expect(clock.advance(-1)).rejects.toThrow("time cannot move by -1");
    await expect(clock.advance(Number.NaN)).rejects.toThrow("time cannot move by NaN");
    await expect(clock.advance("soon")).rejects.toThrow('time: invalid duration "soon"');
  });

  test("is not stopped by a test's fake timers", async () => {
    vi.useFakeTimers();
    try {
      const clock = new VirtualClock(0);
      await clock.advance(10);
      expect(clock.now()).toBe(10);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("the system clock", () => {
  test("tells the time and fires once", async () => {
    const clock = systemClock();
    const before = Date.now();
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    await new Promise<void>((resolve) => clock.after(1, resolve));
  });

  test("does not fire what was cancelled, nor at once what is far away", async () => {
    const clock = systemClock();
    const fired = vi.fn();
    clock.after(1, fired).cancel();
    const far = clock.after(2 ** 40, fired);
    await new Promise((resolve) => setTimeout(resolve, 10));
    far.cancel();
    expect(fired).not.toHaveBeenCalled();
  });
});

test("timers leave the heap by their time, whatever was removed before", () => {
  const timer = fc.record({ at: fc.integer({ min: 0, max: 20 }), isRemoved: fc.boolean() });
  fc.assert(
    fc.property(fc.array(timer, { maxLength: 60 }), (timers) => {
      const heap = new TimerHeap();
      const added = timers.map(({ at }) => heap.add(at, () => {}));
      for (const [i, { isRemoved }] of timers.entries()) {
        const one = added[i];
        if (isRemoved && one !== undefined) heap.remove(one);
      }
      const expected = added
        .filter((_, i) => timers[i]?.isRemoved === false)
        .toSorted((a, b) => a.at - b.at || a.sequence - b.sequence);
      const taken = [];
      for (let next = heap.takeDue(20); next !== undefined; next = heap.takeDue(20)) taken.push(next);
      expect(taken).toEqual(expected);
    }),
  );
});

test("a timer is a thing that can be cancelled", () => {
  const timer: Timer = new VirtualClock(0).after(1, () => {});
  expect(timer.cancel()).toBeUndefined();
});
