import type { JsonObject, JsonValue } from "../apimachinery/json.ts";

/** A part of an object that objects can share: a JSON object or a list. */
export type Part = JsonObject | readonly JsonValue[];

/**
 * A function whose result for a frozen part is remembered as long as the part lives. Parts are frozen completely or not at
 * all; for a part that can still change, the result is computed each time.
 */
export function rememberedByPart<P extends Part, T>(compute: (part: P) => T): (part: P) => T;
/**
 * The same for a result that depends on a context, too. The result in the last context is remembered; it holds in another
 * one if `areSame` says so.
 */
export function rememberedByPart<P extends Part, T, C>(
  compute: (part: P, context: C) => T,
  areSame: (before: C, now: C, part: P) => boolean,
): (part: P, context: C) => T;
export function rememberedByPart<P extends Part, T, C>(
  compute: (part: P, context: C) => T,
  areSame: (before: C, now: C, part: P) => boolean = () => true,
): (part: P, context: C) => T {
  const remembered = new WeakMap<P, { readonly context: C; readonly result: T }>();
  return (part, context) => {
    if (!Object.isFrozen(part)) return compute(part, context);
    const known = remembered.get(part);
    if (known !== undefined && areSame(known.context, context, part)) return known.result;
    const result = compute(part, context);
    remembered.set(part, { context, result });
    return result;
  };
}

/** The same for a result that needs much memory: only that of the last frozen part is remembered. */
export function rememberedByLastPart<P extends Part, T>(compute: (part: P) => T): (part: P) => T {
  let last: { readonly part: P; readonly result: T } | undefined;
  return (part) => {
    if (part === last?.part) return last.result;
    const result = compute(part);
    if (Object.isFrozen(part)) last = { part, result };
    return result;
  };
}
