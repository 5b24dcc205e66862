import { nearestName } from "./nearest-name.ts";

/** The values that options can have as text. */
export type TextValue = string | number | boolean | readonly string[] | { readonly [name: string]: string };

/** What an option accepts. */
export interface OptionType {
  /** For error messages: `a number`. */
  readonly accepts: string;
  readonly isValid: (value: unknown) => boolean;
  /**
   * The value that text means where options are written as text, as in flags. Text that means none stays as it is, and is not
   * valid. Default: the text.
   */
  readonly fromText?: (written: string) => TextValue;
  /** The texts it accepts, if there are only a few; an error suggests the nearest. */
  readonly choices?: readonly string[];
  readonly isRequired?: true;
}

/** The types of options by name. */
export type OptionTypes = { readonly [option: string]: OptionType };

/** How an error names an option. */
export type OptionTitle = (option: string) => string;

/**
 * Checks the options of a call from JavaScript, JSON or text. An option that is undefined is not given.
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
  const given = new Map<string, unknown>(Object.entries(options));
  for (const [option, value] of given) {
    const type = Object.hasOwn(types, option) ? types[option] : undefined;
    if (type === undefined) throw unknownName(`${call}: unknown option`, option, Object.keys(types));
    if (value !== undefined) checkValue(title(option), value, type);
  }
  for (const option in types) {
    const type = types[option];
    if (type?.isRequired && given.get(option) === undefined)
      throw new TypeError(`${call} needs the option ${option}: ${type.accepts}`);
  }
}

/** @throws {TypeError} that says what was given, and what is accepted */
export function checkValue(title: string, value: unknown, { accepts, isValid, choices }: OptionType): void {
  if (isValid(value)) return;
  const meant = typeof value === "string" && choices ? nearestName(value, choices) : undefined;
  const hint = meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`;
  throw new TypeError(`${title} must be ${accepts}, not ${shown(value)}${hint}`);
}

/** The error for a name that is not one of the known names. It suggests the nearest one, or lists all if there are few. */
export function unknownName(problem: string, name: string, known: readonly string[]): TypeError {
  const nearest = nearestName(name, known);
  const list = known.length > longestList ? "" : `; known: ${known.join(", ")}`;
  const hint = nearest === undefined ? list : `; did you mean ${JSON.stringify(nearest)}?`;
  return new TypeError(`${problem} ${JSON.stringify(name)}${hint}`);
}

const longestList = 20;

const shownLength = 60;

/** A value as in JavaScript source, cut off if it is long. */
function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${value}n`;
  if ((typeof value !== "object" && typeof value !== "string") || value instanceof RegExp)
    return String(value);
  let text = "an object";
  try {
    text = JSON.stringify(value);
  } catch {
    // It contains itself.
  }
  return text.length <= shownLength ? text : `${text.slice(0, shownLength)}...`;
}
