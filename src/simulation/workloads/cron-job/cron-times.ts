import { parseDurationMilliseconds } from "../../../apimachinery/duration.ts";
import type { ZonedTime } from "./zoned-time.ts";

const minute = 60_000;
const hour = 60 * minute;
const longestYears = 5;

const descriptors: { readonly [name: string]: string } = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The values of a field, and whether it is any value, which changes how days combine. */
interface Field {
  readonly values: ReadonlySet<number>;
  readonly isAny: boolean;
}

/** The next time of a schedule after another one, in milliseconds since the epoch; undefined if there is none in five years. */
export type NextTime = (after: number) => number | undefined;

/**
 * Reads a schedule that validation has accepted. A time that the clocks skip does not happen; one that they repeat happens twice. Upstream:
 * robfig/cron, `SpecSchedule.Next`.
 */
export function cronTimes(schedule: string, timeAt: (milliseconds: number) => ZonedTime): NextTime {
  if (schedule.startsWith("@every ")) {
    const interval = Math.max(1000, Math.floor(parseDurationMilliseconds(schedule.slice(7)) / 1000) * 1000);
    return (after) => Math.floor(after / 1000) * 1000 + interval;
  }
  const [minutes, hours, dates, monthsOfYear, weekdays] = fieldsOf(descriptors[schedule] ?? schedule);
  return (after) => {
    let time = (Math.floor(after / minute) + 1) * minute;
    const lastYear = timeAt(time).year + longestYears;
    for (let at = timeAt(time); at.year <= lastYear; at = timeAt(time)) {
      const isDay = monthsOfYear.values.has(at.month) && isDayOf(dates, weekdays, at);
      if (!isDay) time += (at.hour < 22 ? (22 - at.hour) * hour : hour) - at.minute * minute;
      else if (!hours.values.has(at.hour)) time += hour - at.minute * minute;
      else if (!minutes.values.has(at.minute)) time += minute;
      else return time;
    }
    return undefined;
  };
}

/** If both fields of days are limited, either may match. */
function isDayOf(dates: Field, weekdays: Field, { day, weekday }: ZonedTime): boolean {
  const [isDate, isWeekday] = [dates.values.has(day), weekdays.values.has(weekday)];
  return dates.isAny || weekdays.isAny ? isDate && isWeekday : isDate || isWeekday;
}

function fieldsOf(schedule: string): readonly [Field, Field, Field, Field, Field] {
  const [minutes = "", hours = "", dates = "", monthsOfYear = "", weekdays = ""] = schedule
    .trim()
    .split(/\s+/);
  return [
    fieldOf(minutes, 0, 59, []),
    fieldOf(hours, 0, 23, []),
    fieldOf(dates, 1, 31, []),
    fieldOf(monthsOfYear, 1, 12, months),
    fieldOf(weekdays, 0, 6, days),
  ];
}

function fieldOf(text: string, least: number, most: number, names: readonly string[]): Field {
  const values = new Set<number>();
  let isAny = false;
  const numberOf = (part: string) => {
    const position = names.indexOf(part.toLowerCase());
    return position < 0 ? Number(part) : least + position;
  };
  for (const part of text.split(",").filter((one) => one !== "")) {
    const [range = "", step] = part.split("/");
    const [low = "", high] = range.split("-");
    const isWhole = low === "*" || low === "?";
    const size = Number(step ?? 1);
    if (isWhole && size === 1) isAny = true;
    const start = isWhole ? least : numberOf(low);
    const open = isWhole || step !== undefined ? most : start;
    const end = high === undefined ? open : numberOf(high);
    for (let value = start; value <= end; value += size) values.add(value);
  }
  return { values, isAny };
}
