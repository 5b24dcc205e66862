import type { JsonValue } from "../../../apimachinery/json.ts";

/** A number, or a percentage of a total, rounded by the function. Upstream: `intstr.GetScaledValueFromIntOrPercent`. */
export function scaledValue(
  value: JsonValue | undefined,
  total: number,
  round: (value: number) => number,
): number {
  if (typeof value === "number") return value;
  const percentage = typeof value === "string" && /^\d{1,9}%$/.test(value) ? Number(value.slice(0, -1)) : 0;
  return round((percentage * total) / 100);
}
