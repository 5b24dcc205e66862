import type { JsonValue } from "../json.ts";

const months = "January February March April May June July August September October November December".split(
  " ",
);

/** A `metav1.Time` as `%#v` prints it; undefined if it is not set. */
export function goDate(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const at = new Date(value);
  const month = `time.${months[at.getUTCMonth()]}`;
  const clock = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds(), 0];
  return `time.Date(${[at.getUTCFullYear(), month, at.getUTCDate(), ...clock].join(", ")}, time.Local)`;
}
