/** Whether two JSON values are equal. Tells -0 from 0 and numbers from bigints; ignores the order of keys. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  // Both are objects or arrays, and only own keys are read.
  const [left, right] = [a, b] as Record<string, unknown>[];
  return keys.every((key) => Object.hasOwn(b, key) && sameValue(left?.[key], right?.[key]));
}
