/**
 * Finds whose prefix a key has, at the cost of the key's depth. A prefix is a folder, ending with `/`; or the empty
 * string, which is every key's; or one whole key.
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

  /** Every member, in no order that means anything. */
  all(): M[] {
    return [...this.#members.values()].flatMap((members) => [...members]);
  }

  /** Every member with its prefix, in no order that means anything. */
  entries(): (readonly [prefix: string, member: M])[] {
    return [...this.#members].flatMap(([prefix, members]) =>
      [...members].map((member) => [prefix, member] as const),
    );
  }

  /** Visits the members whose prefix `key` has. A visit may delete members. */
  visit(key: string, visit: (member: M) => void): void {
    if (this.#members.size === 0) return;
    this.#members.get("")?.forEach(visit);
    for (let slash = key.indexOf("/"); slash >= 0; slash = key.indexOf("/", slash + 1)) {
      this.#members.get(key.slice(0, slash + 1))?.forEach(visit);
    }
    if (key !== "" && !key.endsWith("/")) this.#members.get(key)?.forEach(visit);
  }
}

/** Whether a key has the prefix of a member. */
export function hasPrefix(key: string, prefix: string): boolean {
  return prefix === "" || prefix.endsWith("/") ? key.startsWith(prefix) : key === prefix;
}
