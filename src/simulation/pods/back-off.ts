import type { BackOff } from "./pod-runtime.ts";

const first = 10_000;
const longest = 300_000;

/**
 * The back-off after one more try (client-go, util/flowcontrol/backoff.go): 10 seconds, then twice as long each time up to 5 minutes. It
 * starts at 10 seconds again if the last failure was more than 10 minutes after the last try. `now` and `failed` are milliseconds since the epoch.
 */
export function nextBackOff(before: BackOff | undefined, failed: number, now: number): BackOff {
  const milliseconds = isOver(before, failed) ? first : Math.min(2 * before.milliseconds, longest);
  return { milliseconds, updated: now };
}

/** When the next try may be, after a failure at this time. */
export function nextTry(backOff: BackOff | undefined, failed: number): number {
  return isOver(backOff, failed) ? failed : failed + backOff.milliseconds;
}

function isOver(backOff: BackOff | undefined, failed: number): backOff is undefined {
  return backOff === undefined || failed - backOff.updated > 2 * longest;
}
