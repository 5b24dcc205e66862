/** Visits items one after the other. It is synchronous as long as no visit returns a promise. */
export function inTurn<T>(
  items: readonly T[],
  visit: (item: T) => Promise<void> | void,
  start = 0,
): Promise<void> | void {
  for (let at = start; at < items.length; at += 1) {
    const item = items[at];
    if (item === undefined) continue;
    const pending = visit(item);
    if (pending !== undefined) return pending.then(() => inTurn(items, visit, at + 1));
  }
}
