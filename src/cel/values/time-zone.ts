import { zoneClock } from "../../apimachinery/zone-clock.ts";
import type { Timestamp } from "./times.ts";

/** The parts of a timestamp in a time zone. */
export interface LocalTime {
  readonly year: number;
  /** 0 is January. */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 0 is the first of January. */
  readonly yearDay: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** The local time in UTC. */
export function utcTime({ seconds }: Timestamp): LocalTime {
  return localTime(seconds);
}

/** The local time in a zone: a name of IANA, or an offset such as -08:00. An error's text if there is no such zone. */
export function zonedTime({ seconds }: Timestamp, zone: string): LocalTime | string {
  if (zone === "" || zone === "UTC") return localTime(seconds);
  const colon = zone.indexOf(":");
  if (colon < 0) return namedZoneTime(seconds, zone);
  const hours = zone.slice(0, colon);
  const minutes = zone.slice(colon + 1);
  for (const part of [hours, minutes]) {
    if (!/^[+-]?\d+$/.test(part)) return `strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`;
  }
  const sign = zone.startsWith("-") ? -1 : 1;
  return localTime(seconds + Number(hours) * 3600 + sign * Number(minutes) * 60);
}

function namedZoneTime(seconds: number, zone: string): LocalTime | string {
  const unknown = `unknown time zone ${zone}`;
  // A name of IANA; Intl accepts other texts too, such as offsets.
  if (!/^[A-Za-z]+[A-Za-z0-9_+\-/]*$/.test(zone)) return unknown;
  try {
    return localTime(zoneClock(zone)(seconds * 1000) / 1000);
  } catch (error) {
    if (error instanceof RangeError) return unknown;
    throw error;
  }
}

function localTime(seconds: number): LocalTime {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  const newYear = new Date(0);
  newYear.setUTCFullYear(year, 0, 1);
  return {
    year,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    yearDay: Math.floor((date.getTime() - newYear.getTime()) / 86_400_000),
    hours: date.getUTCHours(),
    minutes: date.getUTCMinutes(),
    seconds: date.getUTCSeconds(),
  };
}
