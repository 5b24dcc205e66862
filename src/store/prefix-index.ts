/**
 * Finds the members for the prefixes that a key has, in time proportional to the depth of the key. A prefix is a folder that
 * ends with `/`, a whole key, or the empty string.
 */
export class PrefixIndex<M> {
  readonly #members = new Map<string, M>();

  get(prefix: string): M | undefined {
    return this.#members.get(prefix);
  }

  set(prefix: string, member: M): void {
    this.#members.set(prefix, member);
  }

  delete(prefix: string): void {
    this.#members.delete(prefix);
  }

  /** All members with their prefixes, in no particular order. */
  entries(): (readonly [prefix: string, member: M])[] {
    return [...this.#members];
  }

  /** Visits the members whose prefix `key` has. The visit may delete members. */
  visit(key: string, visit: (member: M) => void): void {
    if (this.#members.size === 0) return;
    this.#visit("", visit);
    for (let slash = key.indexOf("/"); slash >= 0; slash = key.indexOf("/", slash + 1)) {
      this.#visit(key.slice(0, slash + 1), visit);
    }
    if (key !== "" && !key.endsWith("/")) this.#visit(key, visit);
  }

  #visit(prefix: string, visit: (member: M) => void): void {
    const member = this.#members.get(prefix);
    if (member !== undefined) visit(member);
  }
}

/** Whether a key has this prefix. */
export function hasPrefix(key: string, prefix: string): boolean {
  return prefix === "" || prefix.endsWith("/") ? key.startsWith(prefix) : key === prefix;
}
