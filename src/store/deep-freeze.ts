/**
 * Freezes a tree of plain objects and arrays in place. It does not enter objects that are frozen, so parts that a new
 * value shares with an old one cost nothing.
 */
export function deepFreeze<T extends object>(value: T): T {
  const pending: object[] = [value];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    // A typed array cannot be frozen; `Object.freeze` throws.
    if (Object.isFrozen(node) || ArrayBuffer.isView(node)) continue;
    const children = node as Readonly<Record<string, unknown>>; // Read by key only, as an array can be, too.
    for (const key in children) {
      const child = children[key];
      if (typeof child === "object" && child !== null) pending.push(child);
    }
    // After the walk: freezing changes the hidden class of the object, and reading it afterwards would be slower.
    Object.freeze(node);
  }
  return value;
}
