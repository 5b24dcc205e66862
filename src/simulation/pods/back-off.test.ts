import { expect, test } from "vitest";
import { nextBackOff, nextTry } from "./back-off.ts";
import type { BackOff } from "./pod-runtime.ts";

test("a container that fails at once waits for 10 seconds, then twice as long up to 5 minutes", () => {
  let backOff: BackOff | undefined;
  const waits: number[] = [];
  for (let now = 0, tries = 0; tries < 8; tries++) {
    const failed = now;
    now = nextTry(backOff, failed);
    waits.push((now - failed) / 1000);
    backOff = nextBackOff(backOff, failed, now);
  }
  expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
});

test("a container that has run for more than 10 minutes starts at once, and from 10 seconds", () => {
  const before = { milliseconds: 300_000, updated: 0 };
  expect([nextTry(before, 600_000), nextTry(before, 600_001)]).toEqual([900_000, 600_001]);
  expect(nextBackOff(before, 600_001, 600_001)).toEqual({ milliseconds: 10_000, updated: 600_001 });
});
