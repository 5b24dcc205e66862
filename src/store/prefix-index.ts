/**
 * Finds the members whose prefix a key has, in time proportional to the depth of the key. A prefix is a folder that
 * ends with `/`, a whole key, or the empty string.
 */
export class PrefixIndex<M> {
  readonly #members = new Map<string, Set<M>>();

  add(prefix: string, member: M): void {
    const members = this.#members.get(prefix);
    if (members === undefined) this.#members.set(prefix, new Set([member]));
    else members.add(member);
  }

  delete(prefix: string, member: M): void {
    const members = this.#members.get(prefix);
    members?.delete(member);
    if (members?.size === 0) this.#members.delete(prefix);
  }

  /** All members, in no particular order. */
  all(): M[] {
    return [...this.#members.values()].flatMap((members) => [...members]);
  }

  /** All members with their prefixes, in no particular order. */
  entries(): (readonly [prefix: string, member: M])[] {
    return [...this.#members].flatMap(([prefix, members]) =>
      [...members].map((member) => [prefix, member] as const),
    );
  }

  /** Visits the members whose prefix `key` has. The visit may delete members. */
  visit(key: string, visit: (member: M) => void): void {
    if (this.#members.size === 0) return;
    this.#members.get("")?.forEach(visit);
    for (let slash = key.indexOf("/"); slash >= 0; slash = key.indexOf("/", slash + 1)) {
      this.#members.get(key.slice(0, slash + 1))?.forEach(visit);
    }
    if (key !== "" && !key.endsWith("/")) this.#members.get(key)?.forEach(visit);
  }
}

/** Whether a key has this prefix. */
export function hasPrefix(key: string, prefix: string): boolean {
  return prefix === "" || prefix.endsWith("/") ? key.startsWith(prefix) : key === prefix;
}
