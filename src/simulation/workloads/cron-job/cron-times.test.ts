import { expect, test } from "vitest";
import { cronTimes } from "./cron-times.ts";
import { missedTimes } from "./missed-times.ts";
import { formatZoned, zonedTimes } from "./zoned-time.ts";

const iso = (time: number | undefined) =>
  time === undefined ? "never" : new Date(time).toISOString().slice(0, 16);

test.each([
  ["* * * * *", "", "2026-01-01T00:00:30Z", "2026-01-01T00:01"],
  ["0 12 * * *", "", "2026-01-01T12:00:00Z", "2026-01-02T12:00"],
  ["*/15 8-9 * * mon", "", "2026-01-01T00:00:00Z", "2026-01-05T08:00"],
  ["0 0 31 * *", "", "2026-02-01T00:00:00Z", "2026-03-31T00:00"],
  ["0 0 13 * fri", "", "2026-01-01T00:00:00Z", "2026-01-02T00:00"],
  ["0 0 29 2 *", "", "2026-01-01T00:00:00Z", "2028-02-29T00:00"],
  ["0 0 31 2 *", "", "2026-01-01T00:00:00Z", "never"],
  ["@monthly", "", "2026-01-15T00:00:00Z", "2026-02-01T00:00"],
  ["@every 90m", "", "2026-01-01T00:00:00Z", "2026-01-01T01:30"],
  ["0 9 * * *", "America/New_York", "2026-01-01T00:00:00Z", "2026-01-01T14:00"],
  ["0 0 * * *", "Asia/Kolkata", "2026-01-01T00:00:00Z", "2026-01-01T18:30"],
  // The clocks skip this time on March 29 and repeat it on October 25.
  ["30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-30T00:30"],
  ["30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T01:30"],
])("%s in zone '%s' comes after %s at %s", (schedule, zone, after, expected) => {
  expect(iso(cronTimes(schedule, zonedTimes(zone))(Date.parse(after)))).toBe(expected);
});

test.each([
  ["2026-01-01T00:05:00Z", "never", false],
  ["2026-01-01T00:10:00Z", "2026-01-01T00:10", false],
  ["2026-01-01T00:35:00Z", "2026-01-01T00:30", false],
  ["2026-01-01T16:45:00Z", "2026-01-01T16:40", false],
  ["2026-01-01T16:50:00Z", "2026-01-01T16:50", true],
])("at %s, a schedule of ten minutes has missed %s", (now, expected, areMany) => {
  const next = cronTimes("*/10 * * * *", zonedTimes(""));
  const missed = missedTimes(next, Date.parse("2026-01-01T00:00:00Z"), Date.parse(now));
  expect([iso(missed.latest), missed.areMany]).toEqual([expected, areMany]);
});

test.each([
  ["", "2026-01-01T00:00:00Z"],
  ["Europe/Berlin", "2026-01-01T01:00:00+01:00"],
  ["America/St_Johns", "2025-12-31T20:30:00-03:30"],
])("a time in zone '%s' is %s", (zone, expected) => {
  expect(formatZoned(Date.parse("2026-01-01T00:00:00Z"), zone)).toBe(expected);
});
