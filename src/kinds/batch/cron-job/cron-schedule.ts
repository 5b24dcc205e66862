import { DecodeError } from "../../../apimachinery/decode-error.ts";
import { parseDuration } from "../../../apimachinery/duration.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { isTimeZone } from "./time-zone.ts";

/** A malformed schedule, with the message of `cron.ParseStandard` of robfig/cron. */
export class CronScheduleError extends Error {}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Minute, hour, day of the month, month, day of the week. Names stand for numbers that start at the minimum. */
const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];

const descriptors: ReadonlySet<string> = new Set([
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
]);
const every = "@every ";

/** White space as in Go's `unicode.IsSpace`. */
const spaces = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

const int64Max = 2n ** 63n - 1n;

/**
 * Checks a schedule: five fields or a descriptor, after a time zone if there is one. The library of releases before 1.22 knew no time
 * zones, and began its messages with capitals.
 * @throws {CronScheduleError}
 */
export function checkCronSchedule(text: string, since: Since): void {
  if (since("1.22")) {
    checkSpec(withoutZone(text), (given) => `[${given.join(" ")}]`);
    return;
  }
  try {
    checkSpec(text, () => text);
  } catch (error) {
    if (!(error instanceof CronScheduleError)) throw error;
    throw new CronScheduleError(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}`);
  }
}

function checkSpec(spec: string, shown: (given: readonly string[]) => string): void {
  if (spec.startsWith("@")) {
    checkDescriptor(spec);
    return;
  }
  const given = spec.split(spaces).filter((part) => part !== "");
  if (given.length !== fields.length) {
    const found = `found ${given.length}: ${shown(given)}`;
    throw new CronScheduleError(`expected exactly ${fields.length} fields, ${found}`);
  }
  for (const [position, bounds] of fields.entries()) checkField(given[position] ?? "", bounds);
}

function withoutZone(text: string): string {
  if (!text.startsWith("TZ=") && !text.startsWith("CRON_TZ=")) return text;
  const space = text.indexOf(" ");
  // Upstream slices up to the missing space and recovers from the panic.
  if (space < 0) {
    throw new CronScheduleError("invalid schedule format: runtime error: slice bounds out of range [:-1]");
  }
  const zone = text.slice(text.indexOf("=") + 1, space);
  if (!isTimeZone(zone)) {
    throw new CronScheduleError(`provided bad location ${zone}: unknown time zone ${zone}`);
  }
  return text.slice(space).trim();
}

function checkDescriptor(text: string): void {
  if (descriptors.has(text)) return;
  if (!text.startsWith(every)) throw new CronScheduleError(`unrecognized descriptor: ${text}`);
  try {
    parseDuration(text.slice(every.length));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new CronScheduleError(`failed to parse duration ${text}: ${error.message}`);
  }
}

function checkField(text: string, bounds: Bounds): void {
  for (const range of text.split(",")) if (range !== "") checkRange(range, bounds);
}

/** A range is a number or name, two of them with a hyphen, or any value; each may have a step. */
function checkRange(text: string, bounds: Bounds): void {
  const [range = "", stepText, ...moreSteps] = text.split("/");
  const [low = "", high, ...moreBounds] = range.split("-");
  const isAny = low === "*" || low === "?";
  const start = isAny ? BigInt(bounds.min) : parseValue(low, bounds);
  if (!isAny && moreBounds.length > 0) throw new CronScheduleError(`too many hyphens: ${text}`);
  let end = start;
  if (isAny) end = BigInt(bounds.max);
  else if (high !== undefined) end = parseValue(high, bounds);
  const step = stepText === undefined || moreSteps.length > 0 ? 1n : parseNumber(stepText);
  if (moreSteps.length > 0) throw new CronScheduleError(`too many slashes: ${text}`);
  // `5/15` means from 5 to the maximum.
  if (stepText !== undefined && high === undefined) end = BigInt(bounds.max);
  checkBounds(text, start, end, step, bounds);
}

function checkBounds(text: string, start: bigint, end: bigint, step: bigint, { min, max }: Bounds): void {
  if (start < min) {
    throw new CronScheduleError(`beginning of range (${start}) below minimum (${min}): ${text}`);
  }
  if (end > max) throw new CronScheduleError(`end of range (${end}) above maximum (${max}): ${text}`);
  if (start > end) {
    throw new CronScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  }
  if (step === 0n) throw new CronScheduleError(`step of range should be a positive number: ${text}`);
}

function parseValue(text: string, { min, names = [] }: Bounds): bigint {
  const position = names.indexOf(text.toLowerCase());
  return position < 0 ? parseNumber(text) : BigInt(min + position);
}

function parseNumber(text: string): bigint {
  if (!/^[-+]?\d+$/.test(text)) throw unparsable(text, "invalid syntax");
  const number = BigInt(text.replace("+", ""));
  if (number > int64Max || number < -int64Max - 1n) throw unparsable(text, "value out of range");
  if (number < 0n) throw new CronScheduleError(`negative number (${number}) not allowed: ${text}`);
  return number;
}

function unparsable(text: string, problem: string): CronScheduleError {
  const cause = `strconv.Atoi: parsing ${goQuote(text)}: ${problem}`;
  return new CronScheduleError(`failed to parse int from ${text}: ${cause}`);
}
