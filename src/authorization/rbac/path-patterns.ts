import { pathPrefixOf } from "../contract/policy-rule.ts";

/** Values by patterns of paths. A search takes no longer with more patterns, unless their lengths differ. */
export class PathPatterns<T> {
  readonly #byPath = new Map<string, T[]>();
  readonly #byPrefix = new Map<string, T[]>();
  readonly #lengths = new Set<number>();

  add(pattern: string, value: T): void {
    addTo(this.#byPath, pattern, value);
    const prefix = pathPrefixOf(pattern);
    if (prefix === undefined) return;
    addTo(this.#byPrefix, prefix, value);
    this.#lengths.add(prefix.length);
  }

  /** The lists of values whose patterns match the path, as `pathMatches` decides. */
  matching(path: string): readonly (readonly T[])[] {
    const found = [this.#byPath.get(path)];
    for (const length of this.#lengths) found.push(this.#byPrefix.get(path.slice(0, length)));
    return found.filter((values) => values !== undefined);
  }
}

/** Adds a value to a list of a map. */
export function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
