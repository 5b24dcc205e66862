/** A part of the name of a time zone; digits and plus signs are of old names such as `Etc/GMT+1`. */
const part = /^[A-Za-z._0-9+][A-Za-z._0-9+-]{0,13}$/;

/** What is wrong with the time zone of a CronJob. */
export function timeZoneMessages(name: string): readonly string[] {
  if (name === "") return ["timeZone must be nil or non-empty string"];
  const isWellFormed = name.split("/").every((text) => part.test(text) && text !== "." && text !== "..");
  if (!isWellFormed) return [unknownZone(name)];
  const messages: string[] = [];
  if (name.toLowerCase() === "local") {
    messages.push("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
  }
  if (!isTimeZone(name)) messages.push(unknownZone(name));
  return messages;
}

/**
 * Whether Go would find the time zone in its database, whose names are told by case; `Local` is that of the server.
 */
export function isTimeZone(name: string): boolean {
  if (name === "" || name === "UTC" || name === "Local") return true;
  // Runtimes take offsets as well, which are no names, and do not look at the case.
  if (/^[-+]/.test(name) || /(^|\/)[a-z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    // Of another name for the same zone the case cannot be told.
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

function unknownZone(name: string): string {
  return `unknown time zone ${name}`;
}
