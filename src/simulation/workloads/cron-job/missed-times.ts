import type { NextTime } from "./cron-times.ts";

const most = 100;

/** The last time at which a Job should have started. */
export interface MissedTimes {
  /** In milliseconds since the epoch; undefined if there is none. */
  readonly latest: number | undefined;
  readonly areMany: boolean;
}

/**
 * The last time of a schedule after `earliest` that has passed. Upstream: `mostRecentScheduleTime` (pkg/controller/cronjob/utils.go), which
 * estimates how many have passed by the distance of the first two.
 */
export function missedTimes(next: NextTime, earliest: number, now: number): MissedTimes {
  const first = next(earliest);
  if (first === undefined || now < first) return { latest: undefined, areMany: false };
  const second = next(first);
  if (second === undefined || now < second) return { latest: first, areMany: false };
  const distance = second - first;
  const passed = Math.floor((now - first) / distance) + 1;
  let latest: number | undefined;
  const start = first + (passed - 2) * distance;
  for (let time = next(start); time !== undefined && time <= now; time = next(time)) latest = time;
  return { latest, areMany: passed > most };
}

/** Whether more times have passed than are made up for before 1.21. Upstream: `getRecentUnmetScheduleTimes` (pkg/controller/cronjob/utils.go). */
export function areTooMany(next: NextTime, earliest: number, now: number): boolean {
  let passed = 0;
  for (let time = next(earliest); time !== undefined && time <= now && passed <= most; time = next(time))
    passed++;
  return passed > most;
}
