import { DecodeError } from "./decode-error.ts";
import { utf8Bytes } from "./utf8.ts";

const NANOSECOND = 1n;
const MICROSECOND = 1000n;
const MILLISECOND = 1_000_000n;
const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const MAX = 2n ** 63n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", NANOSECOND],
  ["us", MICROSECOND],
  ["\u00b5s", MICROSECOND],
  ["\u03bcs", MICROSECOND],
  ["ms", MILLISECOND],
  ["s", SECOND],
  ["m", MINUTE],
  ["h", HOUR],
]);

/**
 * Parses a duration such as `1h2m3.5s` into nanoseconds.
 * @throws {DecodeError} with Go's message: `time: invalid duration "x"`
 */
export function parseDuration(text: string): bigint {
  const isNegative = text.startsWith("-");
  let rest = isNegative || text.startsWith("+") ? text.slice(1) : text;
  if (rest === "0") return 0n;
  if (rest === "") throw invalidDuration(text);
  let total = 0n;
  while (rest !== "") {
    const [amount = ""] = /^[0-9]*(?:\.[0-9]*)?/.exec(rest) ?? [];
    if (amount === "" || amount === ".") throw invalidDuration(text);
    const [name = ""] = /^[^.0-9]*/.exec(rest.slice(amount.length)) ?? [];
    if (name === "") throw new DecodeError(`time: missing unit in duration ${quoteBytes(text)}`);
    const unit = UNITS.get(name);
    if (unit === undefined) {
      throw new DecodeError(`time: unknown unit ${quoteBytes(name)} in duration ${quoteBytes(text)}`);
    }
    total += nanoseconds(amount, unit);
    if (total > MAX) throw invalidDuration(text);
    rest = rest.slice(amount.length + name.length);
  }
  if (isNegative) return -total;
  if (total === MAX) throw invalidDuration(text);
  return total;
}

/** Parses a duration into milliseconds. @throws {DecodeError} with Go's message */
export function parseDurationMilliseconds(text: string): number {
  return Number(parseDuration(text)) / 1e6;
}

/** Formats nanoseconds as Go's `Duration.String` does: `1h2m3.5s`, `0s`, `1.5ms`. */
export function formatDuration(duration: bigint): string {
  if (duration === 0n) return "0s";
  const sign = duration < 0n ? "-" : "";
  const total = duration < 0n ? -duration : duration;
  if (total < MICROSECOND) return `${sign}${total}ns`;
  if (total < MILLISECOND) return `${sign}${decimal(total, MICROSECOND)}\u00b5s`;
  if (total < SECOND) return `${sign}${decimal(total, MILLISECOND)}ms`;
  const hours = total / HOUR;
  const minutes = (total / MINUTE) % 60n;
  const seconds = `${decimal(total % MINUTE, SECOND)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

/**
 * Parses a duration and formats it again: `90s` becomes `1m30s`.
 * @throws {DecodeError} with Go's message
 */
export function canonicalDuration(text: string): string {
  return formatDuration(parseDuration(text));
}

/** Quotes a string as the errors of Go's package `time` do: every byte that is not printable ASCII in hexadecimal. */
export function quoteBytes(text: string): string {
  let quoted = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x20 && code < 0x80) {
      quoted += character === '"' || character === "\\" ? `\\${character}` : character;
      continue;
    }
    for (const byte of utf8Bytes(character)) quoted += `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return `"${quoted}"`;
}

/** An amount such as `1.5` in nanoseconds. Digits beyond a nanosecond are dropped. */
function nanoseconds(amount: string, unit: bigint): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  const digits = fraction.slice(0, 18);
  const scaled = digits === "" ? 0n : (BigInt(digits) * unit) / 10n ** BigInt(digits.length);
  return BigInt(whole === "" ? "0" : whole) * unit + scaled;
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = String(value % unit)
    .padStart(String(unit).length - 1, "0")
    .replace(/0+$/, "");
  return fraction === "" ? String(value / unit) : `${value / unit}.${fraction}`;
}

function invalidDuration(text: string): DecodeError {
  return new DecodeError(`time: invalid duration ${quoteBytes(text)}`);
}
