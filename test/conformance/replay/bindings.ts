/**
 * The correspondence of values that differ between servers, such as uids, revisions and generated names. They must
 * differ in the same way everywhere.
 */
export class Bindings {
  readonly #actual = new Map<string, string>();
  readonly #recorded = new Map<string, string>();

  /** Whether two values can correspond to each other, given the known correspondences. */
  bind(kind: string, recorded: string, actual: string): boolean {
    const known = this.#actual.get(`${kind} ${recorded}`);
    if (known !== undefined && kind !== "resourceVersion") return known === actual;
    this.#actual.set(`${kind} ${recorded}`, actual);
    this.#recorded.set(`${kind} ${actual}`, recorded);
    return true;
  }

  actual(kind: string, recorded: string): string | undefined {
    return this.#actual.get(`${kind} ${recorded}`);
  }

  /** A recorded text with the corresponding values of this server. */
  translate(text: string): string {
    let translated = text;
    for (const [key, actual] of this.#actual) {
      const space = key.indexOf(" ");
      const kind = key.slice(0, space);
      const recorded = key.slice(space + 1);
      if (kind === "resourceVersion") continue;
      translated = translated.replaceAll(recorded, actual);
    }
    return translated;
  }

  /** The corresponding revision of a recorded one; itself if there is none. */
  revision(recorded: string): string {
    return this.#actual.get(`resourceVersion ${recorded}`) ?? recorded;
  }
}
