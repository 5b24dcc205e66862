/** A part of the name of a time zone. Old names such as `Etc/GMT+1` contain digits and plus signs. */
const part = /^[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}$/;

/** The problems with the time zone of a CronJob. */
export function timeZoneMessages(name: string): readonly string[] {
  if (name === "") return ["timeZone must be nil or non-empty string"];
  const isWellFormed = name.split("/").every((text) => part.test(text) && text !== "." && text !== "..");
  if (!isWellFormed) return [unknownZone(name)];
  const messages: string[] = [];
  if (name.toLowerCase() === "local") {
    messages.push("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
  }
  // Go, src/time/zoneinfo.go, LoadLocation.
  if (name.includes("..")) messages.push("time: invalid location name");
  else if (!isTimeZone(name)) messages.push(unknownZone(name));
  return messages;
}

/** Whether Go's time zone database contains the name, which is case-sensitive. `Local` is the zone of the server. */
export function isTimeZone(name: string): boolean {
  if (name === "" || name === "UTC" || name === "Local") return true;
  // JavaScript also accepts offsets, and ignores case.
  if (/^[-+]/.test(name) || /(^|\/)[a-z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    // The case of an alias cannot be checked: JavaScript returns the canonical name.
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

function unknownZone(name: string): string {
  return `unknown time zone ${name}`;
}
