/**
 * The correspondence of values that differ between servers, such as uids, revisions and generated names. They must
 * differ in the same way everywhere: one value of a kind corresponds to one of the other server, and to no second.
 */
export class Bindings {
  readonly #actual = new Map<string, string>();
  readonly #recorded = new Map<string, string>();
  readonly #revisions: Revision[] = [];

  /** Whether two values can correspond to each other, given the known correspondences. */
  bind(kind: string, recorded: string, actual: string): boolean {
    const known = this.#actual.get(`${kind} ${recorded}`);
    const taken = this.#recorded.get(`${kind} ${actual}`);
    if (known !== undefined || taken !== undefined) return known === actual && taken === recorded;
    this.#actual.set(`${kind} ${recorded}`, actual);
    this.#recorded.set(`${kind} ${actual}`, recorded);
    return true;
  }

  /** The same for the revision of a write. Revisions also keep their order. */
  bindRevision(recorded: string, actual: string): boolean {
    return this.bindRead(recorded, actual) && this.bind("resourceVersion", recorded, actual);
  }

  /**
   * The same for the revision of a read, such as that of a list. Unrecorded writes, of leases for example, advance
   * the recorded server alone; so its later reads may correspond to one revision here.
   */
  bindRead(recorded: string, actual: string): boolean {
    if (!/^\d+$/.test(recorded) || !/^\d+$/.test(actual)) return recorded === actual;
    const revision = { recorded: BigInt(recorded), actual: BigInt(actual) };
    if (!this.#revisions.every((known) => areInOrder(known, revision))) return false;
    this.#revisions.push(revision);
    return true;
  }

  /**
   * A recorded text with the corresponding values of this server. All are replaced at once: a port that this server has drawn can be
   * another one of the recorded server.
   */
  translate(text: string): string {
    const known = new Map<string, string>();
    for (const [key, actual] of this.#actual) {
      const space = key.indexOf(" ");
      const recorded = key.slice(space + 1);
      if (key.slice(0, space) !== "resourceVersion" && !known.has(recorded)) known.set(recorded, actual);
    }
    if (known.size === 0) return text;
    const longestFirst = [...known.keys()].toSorted((one, other) => other.length - one.length);
    const values = new RegExp(longestFirst.map(escaped).join("|"), "g");
    return text.replace(values, (recorded) => known.get(recorded) ?? recorded);
  }

  /** The corresponding revision of a recorded one; itself if there is none. */
  revision(recorded: string): string {
    const known = this.#revisions.find((revision) => String(revision.recorded) === recorded);
    return known === undefined ? recorded : String(known.actual);
  }
}

interface Revision {
  readonly recorded: bigint;
  readonly actual: bigint;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Equal revisions correspond to equal ones, and earlier ones not to later ones. */
function areInOrder(a: Revision, b: Revision): boolean {
  if (a.recorded === b.recorded) return a.actual === b.actual;
  return a.recorded < b.recorded ? a.actual <= b.actual : a.actual >= b.actual;
}
