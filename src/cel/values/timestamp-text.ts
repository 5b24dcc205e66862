import { type Timestamp, timestampOf } from "./times.ts";

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** The timestamp that a text of RFC 3339 names; "overflow" outside the years 1 to 9999, undefined for other texts. */
export function parseTimestamp(text: string): Timestamp | "overflow" | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = offsetSeconds(match[8] ?? "Z");
  if (offset === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offset;
  const nanoseconds = Number((match[7] ?? "").slice(0, 9).padEnd(9, "0"));
  return timestampOf(seconds, nanoseconds) ?? "overflow";
}

/** RFC 3339 in UTC, with as many digits of the second as it needs. */
export function formatTimestamp({ seconds, nanoseconds }: Timestamp): string {
  const text = new Date(seconds * 1000).toISOString().slice(0, -5);
  const fraction = nanoseconds === 0 ? "" : `.${String(nanoseconds).padStart(9, "0").replace(/0+$/, "")}`;
  return `${text}${fraction}Z`;
}

function daysIn(year: number, month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return date.getUTCDate();
}

function offsetSeconds(zone: string): number | undefined {
  if (zone === "Z") return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(":").map(Number);
  if (hours > 24 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}
