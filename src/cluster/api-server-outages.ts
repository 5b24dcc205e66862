import type { GroupVersion } from "../apimachinery/group-version.ts";

/** The servers behind APIServices that faults have taken down. */
export class ApiServerOutages {
  /** How many faults have taken a server down, by the name of the APIService. */
  readonly #counts = new Map<string, number>();
  readonly #listeners: ((name: string) => void)[] = [];

  #real: (name: string) => string = (name) => name;

  /** Tests write names in a way that this function undoes. */
  nameAs(real: (name: string) => string): void {
    this.#real = real;
  }

  isDown(name: string): boolean {
    return this.#counts.has(name) || [...this.#counts.keys()].some((down) => this.#real(down) === name);
  }

  /** Takes the server of a version down until the result is called. */
  takeDown({ group, version }: GroupVersion): () => void {
    const name = `${version}.${group}`;
    this.#add(name, 1);
    return () => this.#add(name, -1);
  }

  /** Calls back after each change. */
  onChange(listener: (name: string) => void): void {
    this.#listeners.push(listener);
  }

  #add(name: string, change: number): void {
    const count = (this.#counts.get(name) ?? 0) + change;
    if (count > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
    for (const listener of this.#listeners) listener(this.#real(name));
  }
}
