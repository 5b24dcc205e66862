/**
 * What stands here for what stood there: uids, revisions, generated names and the like differ from server to server,
 * and must differ in the same way everywhere.
 */
export class Bindings {
  readonly #actual = new Map<string, string>();
  readonly #recorded = new Map<string, string>();

  /** Whether two values can stand for each other, given those that already do. */
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

  /** A text of the recording with what stands for it here. */
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

  /** A revision of the recording as it is here; itself if it never was one. */
  revision(recorded: string): string {
    return this.#actual.get(`resourceVersion ${recorded}`) ?? recorded;
  }
}
