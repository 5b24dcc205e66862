import type { OptionType, OptionTypes } from "../apimachinery/option-checks.ts";
import { listOf, oneOf, text } from "../apimachinery/option-types.ts";

/** The types of the options of a user. */
export const userOptionTypes: OptionTypes = { groups: listOf(text), uid: text };

/** The types of the options of `restore`. */
export const restoreOptionTypes: OptionTypes = { watches: oneOf("end", "keep") };

/** The types of the options of `check`. */
export const checkOptionTypes: OptionTypes = {
  allowUnserved: {
    accepts: "true, a path, a pattern, or a list of paths and patterns",
    isValid: (value) => value !== null && ["boolean", "string", "object"].includes(typeof value),
  },
};

/** A snapshot of a cluster. */
export const clusterSnapshot: OptionType = {
  accepts: "what snapshot() returned",
  isValid: (value) => isObject(value) && isObject(value["state"]),
};

/** The entries of a Map, also of another realm, or of a plain object. */
export function entriesOf<T>(map: ReadonlyMap<string, T> | { readonly [key: string]: T }): [string, T][] {
  return isMap(map) ? [...map] : Object.entries(map);
}

/** A Map or a plain object. */
export function mapOf(element: OptionType): OptionType {
  return {
    accepts: `an object or a Map of which each value is ${element.accepts}`,
    isValid: (value) =>
      isObject(value) &&
      entriesOf(value).every(([key, each]) => typeof key === "string" && element.isValid(each)),
  };
}

/** Whether a value is an object but not a list. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A test runner may give tests another Map than the modules that they import. */
function isMap<T>(value: object): value is ReadonlyMap<string, T> {
  return Object.prototype.toString.call(value) === "[object Map]";
}

/** The user of a token. */
export const tokenUser: OptionType = {
  accepts: 'a user, such as { name: "alice", groups: ["dev"] }',
  isValid: (value) => isObject(value) && isUser(value),
};

/** A clock that tests can advance. */
export const clusterClock: OptionType = {
  accepts: "a clock, such as new VirtualClock()",
  isValid: (value) =>
    isObject(value) && ["now", "after", "advance", "fork"].every((name) => typeof value[name] === "function"),
};

function isUser({ name, uid = "", groups = [], extra = {} }: { readonly [key: string]: unknown }): boolean {
  return (
    text.isValid(name) &&
    text.isValid(uid) &&
    listOf(text).isValid(groups) &&
    mapOf(listOf(text)).isValid(extra)
  );
}
