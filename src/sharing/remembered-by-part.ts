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

/** The same for a result that needs much memory: only those of the last frozen parts are remembered, by default of one. */
export function rememberedByLastPart<P extends Part, T>(compute: (part: P) => T, count = 1): (part: P) => T {
  const known: { readonly part: P; readonly result: T }[] = [];
  let next = 0;
  return (part) => {
    for (const one of known) if (one.part === part) return one.result;
    const result = compute(part);
    if (!Object.isFrozen(part)) return result;
    known[next] = { part, result };
    next = (next + 1) % count;
    return result;
  };
}
