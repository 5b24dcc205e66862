import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import type { OptionType } from "../apimachinery/option-checks.ts";

/** A duration as Go writes it. */
export const duration: OptionType = {
  accepts: 'a duration such as "1h30m"',
  isValid: (value) => typeof value === "string" && isDuration(value),
};

function isDuration(text: string): boolean {
  try {
    return parseDurationMilliseconds(text) >= 0;
  } catch {
    return false;
  }
}
