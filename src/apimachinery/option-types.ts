import type { OptionType } from "./option-checks.ts";

// The annotations let bundlers drop the options of failures that a page does not use.

export const text: OptionType = { accepts: "text", isValid: (value) => typeof value === "string" };

export const boolean: OptionType = {
  accepts: "true or false",
  isValid: (value) => typeof value === "boolean",
  fromText: (written) => written === "true" || (written === "false" ? false : written),
};

export const anyObject: OptionType = {
  accepts: "an object",
  isValid: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/* @__NO_SIDE_EFFECTS__ */
export function numberFrom(least: number): OptionType {
  return {
    accepts: least === Number.NEGATIVE_INFINITY ? "a number" : `a number of at least ${least}`,
    isValid: (value) => typeof value === "number" && Number.isFinite(value) && value >= least,
    fromText: numberOrText,
  };
}

/* @__NO_SIDE_EFFECTS__ */
export function integerFrom(least: number): OptionType {
  return {
    accepts: `an integer of at least ${least}`,
    isValid: (value) => Number.isSafeInteger(value) && Number(value) >= least,
    fromText: numberOrText,
  };
}

/* @__NO_SIDE_EFFECTS__ */
export function listOf(element: OptionType): OptionType {
  return {
    accepts: `a list of which each element is ${element.accepts}`,
    isValid: (value) => Array.isArray(value) && value.every((each) => element.isValid(each)),
  };
}

/** A value, or a list of such values. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOrList(element: OptionType): OptionType {
  return {
    accepts: `${element.accepts}, or a list of them`,
    isValid: (value) => element.isValid(value) || listOf(element).isValid(value),
  };
}

/* @__NO_SIDE_EFFECTS__ */
export function oneOf(...values: readonly (string | number)[]): OptionType {
  const shown = values.map((value) => JSON.stringify(value));
  return {
    accepts: `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`,
    isValid: (value) => values.some((one) => one === value),
    fromText: (written) => values.find((value) => String(value) === written) ?? written,
    choices: values.filter((value) => typeof value === "string"),
  };
}

/** A number that is written as text; other text stays as it is. */
export function numberOrText(written: string): number | string {
  return written === "" || Number.isNaN(Number(written)) ? written : Number(written);
}
