import type { KeyOrder } from "./btree-node.ts";
import { isBefore, needsByteOrder } from "./key-order.ts";

/** Receives sorted entries from index `first` to before `last`, and says whether it took some or none. */
type Visit<E> = (entries: readonly E[], first: number, last: number) => "some" | "none" | "end";

/**
 * The same for the keys with this last segment. If all entries are of one folder, two comparisons tell whether one of them
 * can have it: a name in all namespaces takes much less time than a test of each object.
 */
export function namedOnly<E extends { readonly key: string }>(
  name: string | undefined,
  visit: Visit<E>,
): Visit<E> {
  if (name === undefined) return visit;
  const ending = `/${name}`;
  // In one folder, only the names are compared.
  const isLess: KeyOrder = needsByteOrder(name) ? isBefore : (a, b) => a < b;
  return (entries, first, last) => {
    if (!canHave(entries[first], entries[last - 1], name, isLess)) return "none";
    let result: "some" | "none" | "end" = "none";
    for (let i = first; i < last && result !== "end"; i++) {
      if (!entries[i]?.key.endsWith(ending)) continue;
      const found = visit(entries, i, i + 1);
      if (found !== "none") result = found;
    }
    return result;
  };
}

/** Whether a key from the first to the last one can have this last segment. */
function canHave(
  first: { readonly key: string } | undefined,
  last: { readonly key: string } | undefined,
  name: string,
  isLess: KeyOrder,
): boolean {
  if (first === undefined || last === undefined) return false;
  const folder = first.key.slice(0, first.key.lastIndexOf("/") + 1);
  const isOneFolder = last.key.startsWith(folder) && !last.key.includes("/", folder.length);
  const wanted = folder + name;
  return !isOneFolder || !(isLess(wanted, first.key) || isLess(last.key, wanted));
}
