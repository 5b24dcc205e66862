import { ControlError } from "./control-error.ts";

/** Things that clients create and name by an id, such as `fork-1`; a limited number of them. */
export class Numbered<T> {
  readonly #kind: string;
  readonly #limit: number;
  readonly #byId = new Map<string, T>();
  #last = 0;

  constructor(kind: string, limit: number) {
    this.#kind = kind;
    this.#limit = limit;
  }

  get all(): ReadonlyMap<string, T> {
    return this.#byId;
  }

  /** @throws {ControlError} if there are too many */
  requireRoom(): void {
    if (this.#byId.size < this.#limit) return;
    throw new ControlError(409, `there are ${this.#limit} ${this.#kind}s, the limit; remove one first`);
  }

  /** Adds one and returns its id. */
  add(one: T): string {
    this.#last += 1;
    const id = `${this.#kind}-${this.#last}`;
    this.#byId.set(id, one);
    return id;
  }

  /** @throws {ControlError} if there is none with this id */
  get(id: string): T {
    const found = this.#byId.get(id);
    if (found === undefined) throw new ControlError(404, `there is no ${this.#kind} ${JSON.stringify(id)}`);
    return found;
  }

  /** Removes one and returns it. @throws {ControlError} if there is none with this id */
  remove(id: string): T {
    const found = this.get(id);
    this.#byId.delete(id);
    return found;
  }

  clear(): void {
    this.#byId.clear();
  }
}
