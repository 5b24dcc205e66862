function isFreezable(value: unknown): value is object {
  // The bytes of a typed array cannot be frozen; `Object.freeze` throws for it.
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
}

/**
 * Freezes a tree of plain objects and arrays, of any depth, in place. An object that is frozen already is taken to be
 * frozen all the way down: that is how a new value shares parts of an old one at no cost.
 */
export function deepFreeze<T extends object>(value: T): T {
  const pending: object[] = [value];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (Object.isFrozen(node)) continue;
    const children = node as Readonly<Record<string, unknown>>; // Read by key only, as an array can be, too.
    for (const key in children) {
      const child = children[key];
      if (isFreezable(child)) pending.push(child);
    }
    // After the walk: freezing changes the hidden class, and walking the new one would cost a key cache for each.
    Object.freeze(node);
  }
  return value;
}
