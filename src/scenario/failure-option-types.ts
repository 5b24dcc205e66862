import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import type { OptionType } from "../apimachinery/option-checks.ts";
import { listOf, numberOrText, text } from "../apimachinery/option-types.ts";

export const name: OptionType = {
  accepts: "text that is not empty",
  isValid: (value) => typeof value === "string" && value !== "",
};

/** Written as `get|list`. */
export const texts: OptionType = {
  accepts: "a list of texts that is not empty",
  isValid: (value) => Array.isArray(value) && value.length > 0 && listOf(text).isValid(value),
  fromText: (written) => written.split("|"),
};

export const textOrTexts: OptionType = {
  accepts: "text, or a list of texts that is not empty",
  isValid: (value) => text.isValid(value) || texts.isValid(value),
  fromText: (written) => (written.includes("|") ? written.split("|") : written),
};

export const path: OptionType = {
  accepts: "text that begins with a slash, or a regular expression",
  isValid: (value) => value instanceof RegExp || (typeof value === "string" && value.startsWith("/")),
};

export const pattern: OptionType = {
  accepts: "text that is not empty, or a regular expression",
  isValid: (value) => value instanceof RegExp || name.isValid(value),
};

export const milliseconds: OptionType = {
  accepts: "a number of milliseconds greater than 0",
  isValid: (value) => typeof value === "number" && Number.isFinite(value) && value > 0,
  fromText: numberOrText,
};

export const duration: OptionType = {
  accepts: 'a number of milliseconds greater than 0, or a duration such as "5s"',
  isValid: (value) => milliseconds.isValid(typeof value === "string" ? durationOf(value) : value),
  fromText: numberOrText,
};

/* @__NO_SIDE_EFFECTS__ */
export function orInfinity(number: OptionType): OptionType {
  return {
    ...number,
    accepts: `${number.accepts}, or Infinity`,
    isValid: (value) => value === Number.POSITIVE_INFINITY || number.isValid(value),
  };
}

/* @__NO_SIDE_EFFECTS__ */
export function orFalse(type: OptionType): OptionType {
  return {
    accepts: `${type.accepts}, or false`,
    isValid: (value) => value === false || type.isValid(value),
    fromText: (written) => (written === "false" ? false : (type.fromText?.(written) ?? written)),
  };
}

/** An option that must be given. */
/* @__NO_SIDE_EFFECTS__ */
export function required(type: OptionType): OptionType {
  return { ...type, isRequired: true };
}

function durationOf(written: string): number | undefined {
  try {
    return parseDurationMilliseconds(written);
  } catch {
    return undefined;
  }
}
