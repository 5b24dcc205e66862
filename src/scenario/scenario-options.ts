import type { RequestScope } from "./request-matcher.ts";

/** The options of every scenario. */
export interface ScenarioOptions extends RequestScope {
  /** The first request to strike of those that it can affect, counted from 1. Default: 1. */
  readonly nth?: number;
  /** How many requests it strikes. Default: 1, so that recovery is tested as well. */
  readonly times?: number;
  /**
   * The longest time it stays in effect on the cluster's clock: milliseconds, or a duration such as `"5s"`. Default: until
   * it has struck `times` times or is removed.
   */
  readonly lasting?: number | string;
}

/** The members of a scope. */
export const scopeNames = [
  "verb",
  "group",
  "resource",
  "subresource",
  "namespace",
  "name",
  "path",
  "user",
  "userAgent",
] as const;

/** The part of a scenario's options that is its scope. */
export function scopeOf(options: RequestScope): RequestScope {
  const chosen = scopeNames.filter((name) => options[name] !== undefined);
  return Object.fromEntries(chosen.map((name) => [name, options[name]]));
}
