/**
 * Whether the mutating plugins run a second time, because a webhook or a policy changed the object after others had seen it.
 * Upstream: apiserver, pkg/admission/attributes.go, reinvocationContext.
 */
export class ReinvocationContext {
  readonly #values = new Map<string, object>();
  /** Whether this is the second run. */
  isReinvoke = false;
  /** Whether a plugin asks for a second run. */
  shouldReinvoke = false;

  /** What a plugin keeps between the runs of one request; `make` creates it in the first run. */
  valueOf<T extends object>(plugin: string, make: () => T): T {
    // Each plugin always stores the same type under its name.
    const known = this.#values.get(plugin) as T | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.#values.set(plugin, made);
    return made;
  }
}
