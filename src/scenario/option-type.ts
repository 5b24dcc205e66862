import { parseDurationMilliseconds } from "../apimachinery/duration.ts";
import { nearestName } from "../apimachinery/nearest-name.ts";

/** The values that an option accepts. */
export type OptionType =
  | { readonly type: "boolean" | "duration" | "list" | "name" | "path" | "pattern" | "text" | "textOrList" }
  | { readonly type: "integer"; readonly least: number; readonly isUnlimited?: true; readonly orFalse?: true }
  | { readonly type: "milliseconds"; readonly orFunction?: true }
  | { readonly type: "choice"; readonly values: readonly (string | number)[] };

/** The options of a failure, by name. */
export type OptionTypes = Readonly<Record<string, OptionType & { readonly isRequired?: true }>>;

/** Whether an option accepts a value. */
export function accepts(option: OptionType, value: unknown): boolean {
  switch (option.type) {
    case "boolean":
      return typeof value === "boolean";
    case "text":
      return typeof value === "string";
    case "name":
      return typeof value === "string" && value !== "";
    case "textOrList":
      return typeof value === "string" || isTextList(value);
    case "list":
      return isTextList(value);
    case "path":
      return value instanceof RegExp || (typeof value === "string" && value.startsWith("/"));
    case "pattern":
      return value instanceof RegExp || typeof value === "string";
    case "duration":
      return isMilliseconds(value) || (typeof value === "string" && isMilliseconds(durationOf(value)));
    case "milliseconds":
      return isMilliseconds(value) || (option.orFunction === true && typeof value === "function");
    case "integer":
      if (value === false) return option.orFalse === true;
      if (value === Number.POSITIVE_INFINITY) return option.isUnlimited === true;
      return Number.isSafeInteger(value) && Number(value) >= option.least;
    case "choice":
      return option.values.some((one) => one === value);
  }
}

/** The accepted values as an error message lists them. */
export function acceptedBy(option: OptionType): string {
  switch (option.type) {
    case "boolean":
      return "true or false";
    case "text":
      return "a string";
    case "name":
      return "a string that is not empty";
    case "textOrList":
      return "a string, or a list of strings that is not empty";
    case "list":
      return "a list of strings that is not empty";
    case "path":
      return "a string that begins with a slash, or a regular expression";
    case "pattern":
      return "a string, or a regular expression";
    case "duration":
      return 'a number of milliseconds greater than 0, or a duration such as "5s"';
    case "milliseconds":
      return `a number of milliseconds greater than 0${option.orFunction === true ? ", or a function that returns one" : ""}`;
    case "integer":
      return `an integer of at least ${option.least}${option.isUnlimited === true ? ", or Infinity" : ""}${option.orFalse === true ? ", or false" : ""}`;
    case "choice":
      return option.values.map((value) => JSON.stringify(value)).join(" or ");
  }
}

/** The accepted value that a misspelt one probably means. */
export function meantBy(option: OptionType, value: unknown): string | undefined {
  if (option.type !== "choice" || typeof value !== "string") return undefined;
  return nearestName(
    value,
    option.values.filter((one) => typeof one === "string"),
  );
}

/** The value of an option that is written as text: lists as `get|list`. Text that the option does not accept stays as it is. */
export function optionValue(option: OptionType, text: string): string | number | boolean | readonly string[] {
  switch (option.type) {
    case "list":
      return text.split("|");
    case "textOrList":
      return text.includes("|") ? text.split("|") : text;
    case "boolean":
      return text === "true" || (text === "false" ? false : text);
    case "integer":
      if (text === "false" && option.orFalse === true) return false;
      return numberOr(text);
    case "milliseconds":
    case "duration":
      return numberOr(text);
    case "choice":
      return option.values.find((value) => String(value) === text) ?? text;
    default:
      return text;
  }
}

function numberOr(text: string): number | string {
  return text === "" || Number.isNaN(Number(text)) ? text : Number(text);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
}

function isMilliseconds(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

function durationOf(text: string): number | undefined {
  try {
    return parseDurationMilliseconds(text);
  } catch {
    return undefined;
  }
}
