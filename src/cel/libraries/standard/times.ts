import type { FunctionDeclaration, Overload } from "../../environment/declarations.ts";
import { declare, member } from "../../environment/declare.ts";
import { types } from "../../types/cel-type.ts";
import { celError } from "../../values/cel-error.ts";
import { type LocalTime, utcTime, zonedTime } from "../../values/time-zone.ts";
import type { Timestamp } from "../../values/times.ts";
import { binary, unary } from "../arguments.ts";
import { isDuration, isString, isTimestamp } from "../guards.ts";

const { duration, int, string, timestamp } = types;

/** The parts of timestamps, in UTC or in a time zone, and of durations. */
export const timeParts: readonly FunctionDeclaration[] = [
  part("getFullYear", "year", ({ year }) => year),
  part("getMonth", "month", ({ month }) => month),
  part("getDayOfYear", "day_of_year", ({ yearDay }) => yearDay),
  part("getDayOfMonth", "day_of_month", ({ day }) => day - 1),
  part("getDate", "day_of_month_1_based", ({ day }) => day),
  part("getDayOfWeek", "day_of_week", ({ weekday }) => weekday),
  part("getHours", "hours", ({ hours }) => hours, total("duration_to_hours", 3_600_000_000_000n)),
  part("getMinutes", "minutes", ({ minutes }) => minutes, total("duration_to_minutes", 60_000_000_000n)),
  part("getSeconds", "seconds", ({ seconds }) => seconds, total("duration_to_seconds", 1_000_000_000n)),
  part(
    "getMilliseconds",
    "milliseconds",
    (_local, { nanoseconds }) => Math.floor(nanoseconds / 1_000_000),
    total("duration_to_milliseconds", 1_000_000n),
  ),
];

type Part = (local: LocalTime, time: Timestamp) => number;

function part(name: string, id: string, read: Part, ...others: readonly Overload[]): FunctionDeclaration {
  const inZone = binary(isTimestamp, isString, (time, zone) => {
    const local = zonedTime(time, zone);
    return typeof local === "string" ? celError(local) : read(local, time);
  });
  const withZone = id === "seconds" ? "timestamp_to_seconds_tz" : `timestamp_to_${id}_with_tz`;
  return declare(
    name,
    member(
      `timestamp_to_${id}`,
      [timestamp],
      int,
      unary(isTimestamp, (time) => read(utcTime(time), time)),
    ),
    member(withZone, [timestamp, string], int, inZone),
    ...others,
  );
}

/** The whole duration in a unit. */
function total(id: string, nanoseconds: bigint): Overload {
  return member(
    id,
    [duration],
    int,
    unary(isDuration, (span) => Number(span.nanoseconds / nanoseconds)),
  );
}
