import { zoneClock } from "../../../apimachinery/zone-clock.ts";

/** A time as the clocks of a zone show it. */
export interface ZonedTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  /** From 0, which is Sunday. */
  readonly weekday: number;
}

/** Reads times in a zone; an empty name is UTC. */
export function zonedTimes(zone: string): (milliseconds: number) => ZonedTime {
  const shiftedBy = offsets(zone);
  return (milliseconds) => {
    const date = new Date(milliseconds + shiftedBy(milliseconds));
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      weekday: date.getUTCDay(),
    };
  };
}

/** A time with the offset of a zone, as Go formats RFC 3339: `2026-01-01T01:00:00+01:00`. */
export function formatZoned(milliseconds: number, zone: string): string {
  const offset = offsets(zone)(milliseconds);
  const text = new Date(milliseconds + offset).toISOString().slice(0, 19);
  if (offset === 0) return `${text}Z`;
  const minutes = Math.abs(offset) / 60_000;
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${text}${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsets(zone: string): (milliseconds: number) => number {
  if (zone === "" || zone === "UTC" || zone === "Local") return () => 0;
  const clock = zoneClock(zone);
  return (milliseconds) => clock(milliseconds) - Math.floor(milliseconds / 1000) * 1000;
}
