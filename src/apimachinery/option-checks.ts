import { nearestName } from "./nearest-name.ts";

/** What an option accepts. */
export interface OptionType {
  /** For error messages: `a number`. */
  readonly accepts: string;
  readonly isValid: (value: unknown) => boolean;
}

/** The types of options by name. */
export type OptionTypes = { readonly [option: string]: OptionType };

/** How an error names an option. */
export type OptionTitle = (option: string) => string;

/**
 * Checks the options of a call from JavaScript. An option that is undefined is not given.
 * @throws {TypeError} that says the option, what was given, and what is accepted
 */
export function checkOptions(
  call: string,
  options: unknown,
  types: OptionTypes,
  title: OptionTitle = (option) => `${call}: ${option}`,
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`${call}: the options must be an object, not ${shown(options)}`);
  }
  for (const [option, value] of Object.entries(options)) {
    const type = Object.hasOwn(types, option) ? types[option] : undefined;
    if (type === undefined) throw unknownName(`${call}: unknown option`, option, Object.keys(types));
    if (value !== undefined) checkValue(title(option), value, type);
  }
}

/** @throws {TypeError} that says what was given, and what is accepted */
export function checkValue(title: string, value: unknown, { accepts, isValid }: OptionType): void {
  if (!isValid(value)) throw new TypeError(`${title} must be ${accepts}, not ${shown(value)}`);
}

/** The error for a name that is not one of the known names. It suggests the nearest one, or lists all if there are few. */
export function unknownName(problem: string, name: string, known: readonly string[]): TypeError {
  const nearest = nearestName(name, known);
  const list = known.length > longestList ? "" : `; known: ${known.join(", ")}`;
  const hint = nearest === undefined ? list : `; did you mean ${JSON.stringify(nearest)}?`;
  return new TypeError(`${problem} ${JSON.stringify(name)}${hint}`);
}

const longestList = 20;

export const text: OptionType = { accepts: "text", isValid: (value) => typeof value === "string" };

export const boolean: OptionType = {
  accepts: "true or false",
  isValid: (value) => typeof value === "boolean",
};

export function numberFrom(least: number): OptionType {
  return {
    accepts: least === Number.NEGATIVE_INFINITY ? "a number" : `a number of at least ${least}`,
    isValid: (value) => typeof value === "number" && Number.isFinite(value) && value >= least,
  };
}

export function listOf(element: OptionType): OptionType {
  return {
    accepts: `a list of which each element is ${element.accepts}`,
    isValid: (value) => Array.isArray(value) && value.every((each) => element.isValid(each)),
  };
}

export function oneOf(...values: readonly string[]): OptionType {
  const quoted = values.map((value) => JSON.stringify(value));
  return {
    accepts: `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`,
    isValid: (value) => typeof value === "string" && values.includes(value),
  };
}

/** A value, or a list of such values. */
export function oneOrList(element: OptionType): OptionType {
  return {
    accepts: `${element.accepts}, or a list of them`,
    isValid: (value) => element.isValid(value) || listOf(element).isValid(value),
  };
}

const shownLength = 60;

/** A value as in JavaScript source, cut off if it is long. */
function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" && typeof value !== "string") return String(value);
  let text = "an object";
  try {
    text = JSON.stringify(value);
  } catch {
    // It contains itself.
  }
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}...`;
}
