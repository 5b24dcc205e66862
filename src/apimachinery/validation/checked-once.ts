import type { Findings } from "./findings.ts";

/** Adds the errors of a part of an object. The field is where errors say that the part is. */
type Check<P extends object, C extends readonly unknown[]> = (
  errors: Findings,
  part: P,
  field: string,
  ...context: C
) => void;

/**
 * A check that skips frozen parts in which it found no errors the last time. What it finds must depend on the part and the context
 * alone; `areSame` says whether two contexts lead to the same errors.
 */
export function checkedOnce<P extends object, C extends readonly unknown[]>(
  check: Check<P, C>,
  areSame: (before: C, now: C, part: P) => boolean,
): Check<P, C> {
  const passed = new WeakMap<P, C>();
  return (errors, part, field, ...context) => {
    const before = passed.get(part);
    if (before !== undefined && areSame(before, context, part)) return;
    const known = errors.length;
    check(errors, part, field, ...context);
    if (errors.length === known && Object.isFrozen(part)) passed.set(part, context);
  };
}
