import type { GroupVersion } from "../apimachinery/group-version.ts";
import type { ApiServerTarget } from "../endpoints/contract/api-server-target.ts";

/** What the owner of a cluster lets answer for APIServices, by their names. */
export class ApiServerTargets {
  readonly #targets: Map<string, ApiServerTarget>;
  /** How many faults have taken a server down. */
  readonly #outages = new Map<string, number>();
  readonly #listeners = new Set<(name: string) => void>();

  constructor(targets: Iterable<readonly [name: string, target: ApiServerTarget]> = []) {
    this.#targets = new Map(targets);
  }

  get(name: string): ApiServerTarget | undefined {
    return this.#targets.get(name);
  }

  set(name: string, target: ApiServerTarget): void {
    this.#targets.set(name, target);
    this.#announce(name);
  }

  isDown(name: string): boolean {
    return this.#outages.has(name);
  }

  /** Takes the server of a version down until the result is called. */
  takeDown({ group, version }: GroupVersion): () => void {
    const name = `${version}.${group}`;
    this.#add(name, 1);
    return () => this.#add(name, -1);
  }

  /** Calls back after each change. */
  onChange(listener: (name: string) => void): void {
    this.#listeners.add(listener);
  }

  /** The same targets for another cluster. */
  fork(): ApiServerTargets {
    return new ApiServerTargets(this.#targets);
  }

  #add(name: string, change: number): void {
    const count = (this.#outages.get(name) ?? 0) + change;
    if (count > 0) this.#outages.set(name, count);
    else this.#outages.delete(name);
    this.#announce(name);
  }

  #announce(name: string): void {
    for (const listener of this.#listeners) listener(name);
  }
}
