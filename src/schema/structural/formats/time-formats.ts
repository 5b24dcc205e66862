import { parseDuration } from "../../../apimachinery/duration.ts";

/** Any character may separate the fraction of the seconds, a digit, too. */
const clockTime = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/iu;
const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const goDurationCharacters = /^[-+.0-9nu\u00b5\u03bcmsh]+$/;
const maxInt64 = "9223372036854775807";
const unitNames = new Set(["ns", "us", "\u00b5s", "ms", "s", "m", "h", "hr", "d", "w", "wk"]);
/** What the name of a unit may start with. */
const unitPrefixes = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

/** Whether a text is a date such as `2026-01-31`. */
export function isDate(text: string): boolean {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = daysInMonth[Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= (month === "02" && isLeap ? 29 : days);
}

/** Whether a text is a time as upstream's strfmt.IsDateTime reads it: what follows a second `t` is ignored. */
export function isDateTime(text: string): boolean {
  const [date = "", time = ""] = text.split(/t/i, 2);
  if (!isDate(date)) return false;
  const [, hours, minutes, seconds] = clockTime.exec(time) ?? [];
  return hours !== undefined && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
}

/**
 * Whether a text is a duration of Go, or has an integer with a unit in it, as upstream's strfmt.ParseDuration reads it. Numbers
 * beyond 64 bits before any word are errors.
 */
export function isDuration(text: string): boolean {
  if (isGoDuration(text)) return true;
  let hasUnit = false;
  // The letters are optional so that a search that fails is not repeated at each digit.
  for (const [, amount = "", name = ""] of text.matchAll(/([0-9]+)[\t\n\f\r ]*([A-Za-z\u00b5]*)/g)) {
    if (name === "") continue;
    if (!isInt64(amount)) return false;
    hasUnit ||= isUnit(name.toLowerCase());
  }
  return hasUnit;
}

function isUnit(name: string): boolean {
  return unitNames.has(name) || unitPrefixes.some((prefix) => name.startsWith(prefix));
}

function isInt64(digits: string): boolean {
  const significant = digits.replace(/^0+/, "");
  if (significant.length !== maxInt64.length) return significant.length < maxInt64.length;
  return significant <= maxInt64;
}

function isGoDuration(text: string): boolean {
  if (!goDurationCharacters.test(text)) return false;
  // BigInt takes more than linear time for a long number, and such a number is none of Go's.
  if (/[1-9][0-9]{30}/.test(text.replace(/\.[0-9]+/g, "."))) return false;
  try {
    parseDuration(text);
    return true;
  } catch {
    return false;
  }
}
