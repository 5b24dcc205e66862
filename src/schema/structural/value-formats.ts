import { parseDuration } from "../../apimachinery/duration.ts";
import { parseCidr, parseIp } from "../../apimachinery/ip.ts";

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const hostname = /^(?=.{1,255}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}\.)*[A-Za-z0-9_][A-Za-z0-9_-]{0,62}\.?$/;
const mac = /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2}[0-9a-f]{4}$/i;
const email = /^[^\s@<>(),;:\\"]{1,64}@[A-Za-z0-9.-]{1,255}$/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const clockTime = /^(\d\d):(\d\d):(\d\d)(\.\d+)?(z|[+-]\d\d:\d\d)$/;
const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * The formats that validation knows, without their dashes, as upstream's strfmt.Default reads them. Other formats are not
 * checked (apiextensions-apiserver, pkg/apiserver/validation/formats.go).
 */
const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["bsonobjectid", (text: string) => /^[0-9a-f]{24}$/i.test(text)],
  ["uri", isUri],
  ["email", (text) => email.test(text)],
  ["hostname", (text) => hostname.test(text)],
  ["ipv4", (text) => isIpOf(text, ".")],
  ["ipv6", (text) => isIpOf(text, ":")],
  ["cidr", (text) => parseCidr(text) !== undefined],
  ["mac", (text) => mac.test(text)],
  ["uuid", (text) => uuid.test(text)],
  ["uuid3", (text) => isUuidOf(text, "3")],
  ["uuid4", (text) => isUuidOf(text, "4")],
  ["uuid5", (text) => isUuidOf(text, "5")],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ["hexcolor", (text) => /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)],
  ["rgbcolor", isRgbColor],
  ["byte", (text) => text.length % 4 === 0 && base64.test(text)],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDuration],
  ["datetime", isDateTime],
]);

/** Whether a text has the format; undefined for a format that is not checked. */
export function hasFormat(text: string, format: string): boolean | undefined {
  return formats.get(withoutDashes(format))?.(text);
}

/** Whether validation knows a format. */
export function isKnownFormat(format: string): boolean {
  return formats.has(withoutDashes(format));
}

function withoutDashes(format: string): string {
  return format.replaceAll("-", "");
}

function isUri(text: string): boolean {
  return URL.canParse(text) || /^\/[^\s]*$/.test(text);
}

function isIpOf(text: string, separator: string): boolean {
  return text.includes(separator) && parseIp(text) !== undefined;
}

function isUuidOf(text: string, version: string): boolean {
  return uuid.test(text) && text.replaceAll("-", "")[12] === version;
}

function digitsOf(text: string): readonly number[] {
  return [...text.replace(/[\s-]/g, "")].map((digit) => (digit.toUpperCase() === "X" ? 10 : Number(digit)));
}

function isIsbn10(text: string): boolean {
  if (!/^(\d[\s-]?){9}[\dX]$/i.test(text)) return false;
  return digitsOf(text).reduce((sum, digit, i) => sum + digit * (10 - i), 0) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  if (!/^(\d[\s-]?){12}\d$/.test(text)) return false;
  return digitsOf(text).reduce((sum, digit, i) => sum + digit * (i % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

function isCreditCard(text: string): boolean {
  if (!/^(\d[\s-]?){12,18}\d$/.test(text)) return false;
  const doubled = [...digitsOf(text)].reverse().map((digit, i) => (i % 2 === 0 ? digit : digit * 2));
  return doubled.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) % 10 === 0;
}

function isRgbColor(text: string): boolean {
  const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text);
  return parts?.slice(1).every((part) => Number(part) <= 255) ?? false;
}

function isDate(text: string): boolean {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = daysInMonth[Number(month) - 1] ?? 0;
  return Number(day) >= 1 && Number(day) <= (month === "02" && isLeap ? 29 : days);
}

/** Upstream: kube-openapi, pkg/validation/strfmt/time.go, IsDateTime. */
function isDateTime(text: string): boolean {
  const [date = "", time = "", ...more] = text.toLowerCase().split("t");
  if (more.length > 0 || !isDate(date)) return false;
  const [, hours, minutes, seconds] = clockTime.exec(time) ?? [];
  return hours !== undefined && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
}

function isDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch {
    return /^\s*\d+(\.\d+)?\s*(ns|nano|us|µs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|week)s?\s*$/i.test(
      text,
    );
  }
}
