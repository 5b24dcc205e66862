import type { JsonValue } from "../json.ts";
import { goJson } from "./go-json.ts";
import { type GoType, goType } from "./go-type.ts";

const months = "January February March April May June July August September October November December".split(
  " ",
);

/** `metav1.Time`; an unset one is Go's zero time. */
export const goTime: GoType = goType(
  (value) => goDate(value) ?? "time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)",
  (value) => goJson(value ?? null),
);

/** `*metav1.Time`. */
export const goTimePointer: GoType = goType((value) => goDate(value) ?? "<nil>", goJson);

function goDate(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const at = new Date(value);
  const month = `time.${months[at.getUTCMonth()]}`;
  const clock = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds(), 0];
  return `time.Date(${[at.getUTCFullYear(), month, at.getUTCDate(), ...clock].join(", ")}, time.Local)`;
}
