import type { Findings } from "./findings.ts";

/** Adds the errors of a part of an object. The field is where errors say that the part is. */
type Check<P extends object, C extends readonly unknown[]> = (
  errors: Findings,
  part: P,
  field: string,
  ...context: C
) => void;

/**
 * A check that skips frozen parts in which it found no errors the last time. What it finds must depend on the part and on these
 * values of the context alone. Only they are kept, and as long as the part lives.
 */
export function checkedOnce<P extends object, C extends readonly unknown[]>(
  check: Check<P, C>,
  valuesOf: (...context: C) => readonly unknown[] = () => none,
): Check<P, C> {
  const passed = new WeakMap<P, readonly unknown[]>();
  return (errors, part, field, ...context) => {
    const before = passed.get(part);
    const values = valuesOf(...context);
    if (before !== undefined && areSame(before, values)) return;
    const known = errors.length;
    check(errors, part, field, ...context);
    if (errors.length === known && Object.isFrozen(part)) passed.set(part, values);
  };
}

const none: readonly never[] = [];

function areSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  for (let i = 0; i < now.length; i++) if (before[i] !== now[i]) return false;
  return true;
}
