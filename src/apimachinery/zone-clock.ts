/**
 * The clocks of a zone of IANA: gives the milliseconds since the epoch at which the clocks of UTC show the same time, without the fraction of
 * a second. @throws {RangeError} for a zone that the runtime does not know
 */
export function zoneClock(zone: string): (milliseconds: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (milliseconds) => {
    const parts = new Map(format.formatToParts(milliseconds).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.get(name));
    const shown = new Date(0);
    // Unlike `Date.UTC`, this takes years before 100 as they are.
    shown.setUTCFullYear(part("year"), part("month") - 1, part("day"));
    return shown.setUTCHours(part("hour"), part("minute"), part("second"));
  };
}
