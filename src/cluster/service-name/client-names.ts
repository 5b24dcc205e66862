import { fromClient, toClient } from "./renaming.ts";

/** The names that those who use a cluster write in plain data, and the real ones. */
export interface ClientNames {
  /** With the names of clients. */
  readonly shown: <T>(data: T) => T;
  /** With the real names. What has no names in it, such as a function, stays. */
  readonly real: <T>(data: T) => T;
}

const realNames: ClientNames = { shown: (data) => data, real: (data) => data };

/** Only texts, names and patterns in the data change. */
const maskedNames: ClientNames = {
  shown: (data) => mapped(data, toClient) as typeof data,
  real: (data) => mapped(data, fromClient, eitherPattern) as typeof data,
};

/** The names of those who use a cluster with the option `identifiers`. */
export function clientNames(identifiers: "kubernetes" | "svc"): ClientNames {
  return identifiers === "svc" ? maskedNames : realNames;
}

/** Does something with real names, for a caller with other ones. @throws {Error} as `action` does, with the names of the caller */
export function withNames<T>(names: ClientNames, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof Error) error.message = names.shown(error.message);
    throw error;
  }
}

/** Plain data whose texts and names have other names. Functions and objects with behavior stay, and so do patterns without `pattern`. */
export function mapped(
  value: unknown,
  rename: (text: string) => string,
  pattern: (pattern: RegExp) => RegExp = (same) => same,
): unknown {
  if (typeof value === "string") return rename(value);
  if (value instanceof RegExp) return pattern(value);
  if (Array.isArray(value)) return value.map((element) => mapped(element, rename, pattern));
  if (typeof value !== "object" || value === null) return value;
  const entries = (all: Iterable<[unknown, unknown]>) =>
    Array.from(all, ([name, member]): [string, unknown] => [
      rename(String(name)),
      mapped(member, rename, pattern),
    ]);
  if (value instanceof Map) return new Map(entries(value));
  return isPlain(value) ? Object.fromEntries(entries(Object.entries(value))) : value;
}

/** Whether an object has only data, also one of another realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A pattern that fits the real names and those of clients. */
function eitherPattern(pattern: RegExp): RegExp {
  // With the flags g or y, it would go on where its last match ended.
  const alone = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""));
  const either = new RegExp(alone);
  // All methods of strings and patterns look for matches with it.
  either.exec = (text) => alone.exec(text) ?? alone.exec(toClient(text));
  return either;
}
