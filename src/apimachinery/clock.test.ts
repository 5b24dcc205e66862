import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { RunningClock, type Timer, turn, VirtualClock, type Works } from "./clock.ts";
import { letTimeGoOn } from "./held-time.ts";
import { TimerHeap, type WaitingTimer } from "./timer-heap.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("a virtual clock", () => {
  test("moves only when it is advanced", async () => {
    const clock = new VirtualClock(1000);
    expect(clock.now()).toBe(1000);
    await clock.advance(500);
    expect(clock.now()).toBe(1500);
    await clock.advance("1m30s");
    expect(clock.now()).toBe(91_500);
  });

  test("fires timers in order, each at its own time, before advance returns", () => {
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

  test("fires timers that other timers set", () => {
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

  test("does not fire timers that were canceled, even by another timer", async () => {
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

  test("lets tasks run when advance is awaited", async () => {
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

  test("calls back without delay at the current time", async () => {
    const clock = new VirtualClock(5);
    const fired = vi.fn();
    clock.after(0, fired);
    expect(fired).not.toHaveBeenCalled();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(fired).toHaveBeenCalledOnce();
    expect(clock.now()).toBe(5);
  });

  test("can be advanced by a timer", () => {
    const clock = new VirtualClock(0);
    clock.after(10, () => void clock.advance(100));
    void clock.advance(20);
    expect(clock.now()).toBe(110);
  });

  test("starts at a date", () => {
    expect(new VirtualClock("2026-01-01T00:00:00Z").now()).toBe(Date.UTC(2026, 0, 1));
    expect(() => new VirtualClock("some day")).toThrow("invalid start time: some day");
  });

  test("has independent forks", async () => {
    const clock = new VirtualClock(0);
    const fired = vi.fn();
    clock.after(5, fired);
    const fork = clock.fork();
    await fork.advance(10);
    expect([clock.now(), fork.now()]).toEqual([0, 10]);
    expect(fired).not.toHaveBeenCalled();
  });

  test("does not go back", async () => {
    const clock = new VirtualClock(0);
    await expect(clock.advance(-1)).rejects.toThrow("cannot advance the time by -1");
    await expect(clock.advance(Number.NaN)).rejects.toThrow("cannot advance the time by NaN");
    await expect(clock.advance(Number.POSITIVE_INFINITY)).rejects.toThrow(
      "cannot advance the time by Infinity",
    );
    await expect(clock.advance("soon")).rejects.toThrow('time: invalid duration "soon"');
  });

  test("is not stopped by a test's fake timers", async () => {
    vi.useFakeTimers();
    const clock = new VirtualClock(0);
    await clock.advance(10);
    expect(clock.now()).toBe(10);
  });
});

const second = 1000;

describe("a running clock", () => {
  test("shows real time and fires timers that are due", async () => {
    const clock = new RunningClock();
    const before = Date.now();
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    const fired: string[] = [];
    clock.after(2, () => fired.push("second"));
    clock.after(1, () => fired.push("first"));
    await new Promise<void>((resolve) => clock.after(3, resolve));
    expect(fired).toEqual(["first", "second"]);
  });

  test("does not fire canceled timers, and fires distant ones only when due", async () => {
    const clock = new RunningClock();
    const fired = vi.fn();
    clock.after(1, fired).cancel();
    const far = clock.after(2 ** 40, fired);
    await new Promise<void>((resolve) => clock.after(10, resolve));
    far.cancel();
    expect(fired).not.toHaveBeenCalled();
  });

  test("fires the other timers when a callback throws", async () => {
    vi.useFakeTimers();
    const clock = new RunningClock();
    const fired = vi.fn();
    clock.after(1, () => {
      throw new Error("broken");
    });
    clock.after(1, fired);
    expect(() => vi.advanceTimersByTime(1)).toThrow("broken");
    await turn();
    expect(fired).toHaveBeenCalledOnce();
  });

  test("can be advanced ahead of real time, and fires the timers in between", async () => {
    const clock = new RunningClock();
    const start = clock.now();
    const fired: number[] = [];
    for (const seconds of [20, 10, 31]) {
      clock.after(seconds * second, () => fired.push(Math.round((clock.now() - start) / second)));
    }
    await clock.advance("30s");
    expect(fired).toEqual([10, 20]);
    expect(clock.now()).toBeGreaterThanOrEqual(start + 30 * second);
  });

  test("has independent forks with the same time", async () => {
    vi.useFakeTimers();
    const clock = new RunningClock();
    await clock.advance("1h");
    const fork = clock.fork();
    await fork.advance("1h");
    expect(fork.now() - clock.now()).toBe(3600 * second);
    expect(clock.now() - Date.now()).toBe(3600 * second);
  });
});

describe("a running clock while a test fakes its timers", () => {
  test("shows the fake date", () => {
    vi.useFakeTimers({ now: 5 });
    const clock = new RunningClock();
    expect(clock.now()).toBe(5);
    vi.setSystemTime(new Date("2030-01-01T00:00:00Z"));
    expect(clock.now()).toBe(Date.parse("2030-01-01T00:00:00Z"));
  });

  test("fires as the fakes advance, each timer at its time", () => {
    vi.useFakeTimers({ now: 0 });
    const clock = new RunningClock();
    const fired: string[] = [];
    clock.after(30 * second, () => fired.push(`b@${clock.now()}`));
    clock.after(10 * second, () => fired.push(`a@${clock.now()}`));
    vi.advanceTimersByTime(30 * second - 1);
    expect(fired).toEqual(["a@10000"]);
    vi.advanceTimersByTime(1);
    expect(fired).toEqual(["a@10000", "b@30000"]);
  });

  test("calls back without delay as before", async () => {
    vi.useFakeTimers();
    const clock = new RunningClock();
    await new Promise<void>((resolve) => clock.after(0, resolve));
  });

  test("does not count a change of the fake date as elapsed time", () => {
    vi.useFakeTimers({ now: 0 });
    const clock = new RunningClock();
    const fired = vi.fn();
    clock.after(second, fired);
    vi.setSystemTime(1_000_000 * second);
    vi.advanceTimersByTime(second - 1);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fired).toHaveBeenCalledOnce();
  });

  test("moves pending timers to the fakes with the next call of now", async () => {
    const clock = new RunningClock();
    const fired: string[] = [];
    clock.after(60 * second, () => fired.push("a minute"));
    clock.after(90 * second, () => fired.push("a minute and a half"));
    vi.useFakeTimers();
    vi.advanceTimersByTime(61 * second);
    clock.now();
    await turn();
    expect(fired).toEqual(["a minute"]);
    vi.advanceTimersByTime(30 * second);
    expect(fired).toEqual(["a minute", "a minute and a half"]);
  });

  test("continues in real time when the fakes are removed", async () => {
    vi.useFakeTimers();
    const clock = new RunningClock();
    const fired = new Promise<void>((resolve) => clock.after(second, resolve));
    vi.advanceTimersByTime(second - 1);
    vi.useRealTimers();
    clock.now();
    await fired;
  });

  test("fires with fake timers and a real date", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const clock = new RunningClock();
    const fired: string[] = [];
    clock.after(second, () => fired.push("first"));
    const start = performance.now();
    while (performance.now() < start + 2);
    clock.after(2 * second, () => fired.push("second"));
    vi.advanceTimersByTime(2 * second);
    expect(fired).toEqual(["first", "second"]);
  });

  test("leaves no canceled timer behind", () => {
    vi.useFakeTimers();
    const clock = new RunningClock();
    const timer = clock.after(second, () => {});
    expect(vi.getTimerCount()).toBe(1);
    timer.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("timers leave the heap in order, regardless of removals", () => {
  const timer = fc.record({ at: fc.integer({ min: 0, max: 20 }), isRemoved: fc.boolean() });
  fc.assert(
    fc.property(fc.array(timer, { maxLength: 60 }), (timers) => {
      const heap = new TimerHeap();
      const fired: WaitingTimer[] = [];
      const added = timers.map(({ at }) => {
        const timer = heap.add(at, () => fired.push(timer));
        return timer;
      });
      for (const [i, { isRemoved }] of timers.entries()) {
        const one = added[i];
        if (isRemoved && one !== undefined) heap.remove(one);
      }
      const expected = added
        .filter((_, i) => timers[i]?.isRemoved === false)
        .toSorted((a, b) => a.at - b.at || a.sequence - b.sequence);
      heap.fire(20);
      expect(fired).toEqual(expected);
    }),
  );
});

/** Works for some turns of the event loop; returns the time at the end. */
async function work({ works, now }: { works: Works; now: () => number }, turns = 3): Promise<number> {
  const worker = {};
  const done = (async () => {
    for (let count = 0; count < turns; count++) await turn();
    works.delete(worker);
  })();
  works.set(worker, done);
  await done;
  return now();
}

describe.each([
  ["virtual", () => new VirtualClock(0)],
  ["running", () => new RunningClock()],
] as const)("a %s clock", (_, make) => {
  test("waits for work that is under way before it advances, for that of its timers, and for that at the end", async () => {
    const clock = make();
    const start = clock.now();
    const ended: Promise<number>[] = [];
    const worker = { works: clock.works, now: () => clock.now() - start };
    clock.after(10 * second, () => {
      ended.push(work(worker));
      clock.after(10 * second, () => ended.push(work(worker)));
    });
    clock.after(25 * second, () => ended.push(work(worker)));
    ended.push(work(worker));
    await clock.advance("25s");
    expect(clock.works.size).toBe(0);
    expect((await Promise.all(ended)).map((time) => Math.floor(time / second))).toEqual([0, 10, 20, 25]);
  });

  test("adds up calls at the same time, whether or not work is under way", async () => {
    const clock = make();
    const start = clock.now();
    const passed = () => Math.floor((clock.now() - start) / second);
    const [busy, ended] = [work({ works: clock.works, now: passed }), [] as number[]];
    clock.after(25 * second, () => ended.push(passed()));
    await Promise.all([clock.advance("10s"), clock.advance("10s"), busy.then(() => clock.advance("10s"))]);
    expect([await busy, ...ended, passed()]).toEqual([0, 25, 30]);
    await Promise.all([clock.advance("10s"), clock.advance("10s")]);
    expect(passed()).toBe(50);
  });

  test("does not wait for work that time must pass for", async () => {
    const clock = make();
    const worker = {};
    const ended = letTimeGoOn(clock);
    const done = new Promise<void>((resolve) => {
      clock.after(10 * second, () => {
        ended();
        clock.works.delete(worker);
        resolve();
      });
    });
    clock.works.set(worker, done);
    await clock.advance("10s");
    await done;
    expect(clock.works.size).toBe(0);
  });
});

test("a virtual clock fires timers that are due together before it waits for their work", async () => {
  const clock = new VirtualClock(0);
  const steps: string[] = [];
  const working = work({ works: clock.works, now: () => 0 });
  for (const name of ["first", "second"]) {
    clock.after(second, () => {
      steps.push(name);
      void work({ works: clock.works, now: () => steps.push(`end of ${name}`) });
    });
  }
  await clock.advance(second);
  await working;
  expect(steps).toEqual(["first", "second", "end of first", "end of second"]);
});

test("a timer can be canceled", () => {
  const timer: Timer = new VirtualClock(0).after(1, () => {});
  expect(timer.cancel()).toBeUndefined();
});
