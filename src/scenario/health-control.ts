/** A failure of a check. It ends with `end`, or at the end of a `using` block. */
export interface FailingCheck {
  end(): void;
  [Symbol.dispose](): void;
}

/** Lets checks of `/healthz`, `/livez` and `/readyz` fail. */
export class HealthControl {
  /** The errors of failing checks, by name; the newest failure of a check is last. */
  readonly #failures = new Map<string, { readonly error: string }[]>();
  readonly #names: readonly string[];

  /** Takes the names of the checks that the server has. */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /**
   * Lets a check fail, such as `etcd` or `poststarthook/rbac/bootstrap-roles`, in each endpoint that has it. `shutdown` makes
   * the server not ready while it goes on serving. Clients that ask for the check alone get the error.
   * @throws {Error} for a check that the server does not have
   */
  fail(name: string, error = "failed by the test"): FailingCheck {
    if (!this.#names.includes(name)) {
      throw new Error(`health: unknown check ${JSON.stringify(name)}; known: ${this.#names.join(", ")}`);
    }
    const failure = { error };
    this.#failures.set(name, [...(this.#failures.get(name) ?? []), failure]);
    const end = () => {
      const left = (this.#failures.get(name) ?? []).filter((other) => other !== failure);
      this.#failures.set(name, left);
    };
    return { end, [Symbol.dispose]: end };
  }

  /** Why a check fails; undefined if it does not. */
  errorOf(name: string): string | undefined {
    return this.#failures.get(name)?.at(-1)?.error;
  }
}
