import { DecodeError } from "./decode-error.ts";
import { quoteBytes } from "./duration.ts";

/** A point in time to the nanosecond: the seconds since the epoch, and the rest in nanoseconds. */
export interface Instant {
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** The layouts of `metav1.Time` and `metav1.MicroTime`, which Go's errors contain. */
const TIME_LAYOUT = "2006-01-02T15:04:05Z07:00";
const MICRO_TIME_LAYOUT = "2006-01-02T15:04:05.000000Z07:00";

/** The days of every month, those that only February does not have, and those that only seven months have. */
const DAYS = "(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31";

/** Canonical times, except on a 29th of February. They need no further validation. */
const PLAIN_TIME = new RegExp(`^[1-9]\\d{3}-(?:${DAYS})T(?:[01]\\d|2[0-3])(?::[0-5]\\d){2}Z$`);

/** The first second of the year 1: Go's zero time. */
const ZERO_SECONDS = -62_135_596_800;

/** The last formatted second. One write formats the same second several times. */
let lastSecond = Number.NaN;
let lastText = "";

/** Formats milliseconds since the epoch as a `metav1.Time`: `2006-01-02T15:04:05Z`. */
export function formatTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== lastSecond) {
    lastText = `${dateAndTime(milliseconds)}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** Formats milliseconds since the epoch as a `metav1.MicroTime`: `2006-01-02T15:04:05.000000Z`. */
export function formatMicroTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return formatMicroInstant({ seconds, nanoseconds: Math.floor((milliseconds - seconds * 1000) * 1e6) });
}

/** Formats an instant as a `metav1.MicroTime`. Nanoseconds are dropped. */
export function formatMicroInstant({ seconds, nanoseconds }: Instant): string {
  const microseconds = String(Math.floor(nanoseconds / 1000)).padStart(6, "0");
  return `${dateAndTime(seconds * 1000)}.${microseconds}Z`;
}

/**
 * Parses a time and formats it again: in UTC, in whole seconds. Null is Go's zero time.
 * @throws {DecodeError} with the message of Go's `time.Parse`
 */
export function canonicalTime(text: string): string | null {
  if (PLAIN_TIME.test(text)) return text;
  const instant = parseTime(text);
  return isZero(instant) ? null : formatTime(instant.seconds * 1000);
}

/**
 * Parses a time with microseconds and formats it again.
 * @throws {DecodeError} with the message of Go's `time.Parse`
 */
export function canonicalMicroTime(text: string): string | null {
  const instant = parseMicroTime(text);
  return isZero(instant) ? null : formatMicroInstant(instant);
}

/**
 * Parses an RFC 3339 time, with or without a fraction of a second.
 * @throws {DecodeError} with the message of Go's `time.Parse`
 */
export function parseTime(text: string): Instant {
  return new TimeParser(text, TIME_LAYOUT).parse("");
}

/**
 * Parses a time that has exactly six digits of a fraction of a second.
 * @throws {DecodeError} with the message of Go's `time.Parse`
 */
export function parseMicroTime(text: string): Instant {
  return new TimeParser(text, MICRO_TIME_LAYOUT).parse(".000000");
}

/** The milliseconds since the epoch of a stored time; NaN if the text is not a time. */
export function timeMilliseconds(text: string): number {
  return Date.parse(text);
}

/** A stored time as Go prints it in messages: `2001-01-01 00:00:00 +0000 UTC`. Null is Go's zero time. */
export function formatGoTime(text: string | null): string {
  const { seconds, nanoseconds } =
    text === null ? { seconds: ZERO_SECONDS, nanoseconds: 0 } : parseTime(text);
  const fraction = nanoseconds === 0 ? "" : `.${String(nanoseconds).padStart(9, "0").replace(/0+$/, "")}`;
  return `${dateAndTime(seconds * 1000).replace("T", " ")}${fraction} +0000 UTC`;
}

function isZero({ seconds, nanoseconds }: Instant): boolean {
  return seconds === ZERO_SECONDS && nanoseconds === 0;
}

/** In UTC, to the second. ISO 8601 and Go write years outside of 0 to 9999 differently, which an offset can lead to. */
function dateAndTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year)) throw new RangeError(`No time: ${milliseconds}`);
  const day = `${year < 0 ? "-" : ""}${padded(Math.abs(year), 4)}-${padded(date.getUTCMonth() + 1)}-${padded(date.getUTCDate())}`;
  return `${day}T${padded(date.getUTCHours())}:${padded(date.getUTCMinutes())}:${padded(date.getUTCSeconds())}`;
}

function padded(number: number, length = 2): string {
  return String(number).padStart(length, "0");
}

/** Parses a time element by element, and reports the element that is invalid. */
class TimeParser {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  parse(fractionLayout: string): Instant {
    const year = Number(this.#take(/^[0-9]{4}/, "2006"));
    this.#skip("-");
    const month = this.#number("01", 1, 12, "month");
    this.#skip("-");
    const day = Number(this.#take(/^[0-9]{2}/, "02"));
    this.#skip("T");
    const hour = this.#number("15", 0, 23, "hour");
    this.#skip(":");
    const minute = this.#number("04", 0, 59, "minute");
    this.#skip(":");
    const second = this.#number("05", 0, 59, "second");
    const nanoseconds = this.#fraction(fractionLayout);
    const offset = this.#offset();
    if (this.#rest !== "") throw this.#error(`: extra text: ${quoteBytes(this.#rest)}`);
    if (day < 1 || day > daysIn(year, month)) throw this.#error(": day out of range");
    // Date.UTC maps the years 0 to 99 to 1900 to 1999.
    const midnight = new Date(0).setUTCFullYear(year, month - 1, day) / 1000;
    return { seconds: midnight + hour * 3600 + minute * 60 + second - offset, nanoseconds };
  }

  /** Two digits; the hour may have one. */
  #number(element: string, minimum: number, maximum: number, name: string): number {
    const digits = element === "15" ? /^[0-9]{1,2}/ : /^[0-9]{2}/;
    const value = Number(this.#take(digits, element));
    if (value < minimum || value > maximum) throw this.#error(`: ${name} out of range`);
    return value;
  }

  /** The fraction of a second. If the layout has none, the time may still have one, of any length. */
  #fraction(layout: string): number {
    const pattern = layout === "" ? /^(?:[.,][0-9]+)?/ : /^[.,][0-9]{6}/;
    const digits = this.#take(pattern, layout).slice(1, 10);
    return Number(digits.padEnd(9, "0"));
  }

  /** The offset from UTC in seconds. */
  #offset(): number {
    if (this.#rest.startsWith("Z")) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const zone = this.#take(/^[+-][0-9]{2}:[0-9]{2}/, "Z07:00");
    const hours = Number(zone.slice(1, 3));
    const minutes = Number(zone.slice(4, 6));
    // Go accepts offsets of 24 hours and of 60 minutes.
    if (hours > 24) throw this.#error(": time zone offset hour out of range");
    if (minutes > 60) throw this.#error(": time zone offset minute out of range");
    const offset = hours * 3600 + minutes * 60;
    return zone.startsWith("-") ? -offset : offset;
  }

  #take(pattern: RegExp, element: string): string {
    const taken = pattern.exec(this.#rest)?.[0];
    if (taken === undefined) throw this.#cannotParse(element);
    this.#rest = this.#rest.slice(taken.length);
    return taken;
  }

  #skip(separator: string): void {
    if (!this.#rest.startsWith(separator)) throw this.#cannotParse(separator);
    this.#rest = this.#rest.slice(separator.length);
  }

  #cannotParse(element: string): DecodeError {
    const layout = quoteBytes(this.#layout);
    return this.#error(` as ${layout}: cannot parse ${quoteBytes(this.#rest)} as ${quoteBytes(element)}`);
  }

  #error(problem: string): DecodeError {
    return new DecodeError(`parsing time ${quoteBytes(this.#text)}${problem}`);
  }
}

function daysIn(year: number, month: number): number {
  return new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate();
}
