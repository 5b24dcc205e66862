import type { Clock } from "../apimachinery/clock.ts";
import { parseDurationMilliseconds } from "../apimachinery/duration.ts";

/** A failure of a check. It ends with `end`, or at the end of a `using` block. */
export interface FailingCheck {
  end(): void;
  [Symbol.dispose](): void;
}

/** A delay of a check. It ends as a failure does; requests that wait for the check go on then. */
export type DelayedCheck = FailingCheck;

/** A delay, and what lets the requests go on that wait because of it. */
interface Delay {
  readonly milliseconds: number;
  readonly waiting: Set<() => void>;
}

/** How tests write names: as `shown` has them, or as they are. */
interface WrittenNames {
  readonly shown: (name: string) => string;
  readonly real: (name: string) => string;
}

/** Lets checks of `/healthz`, `/livez` and `/readyz` fail, or take long. */
export class HealthControl {
  /** By name; the newest delay of a check is last. */
  readonly #delays = new Map<string, Delay[]>();
  /** The errors of failing checks, by name; the newest failure of a check is last. */
  readonly #failures = new Map<string, { readonly error: string }[]>();
  readonly #names: () => readonly string[];
  readonly #written: WrittenNames;

  /** Takes the names of the checks that the server has now, and how tests write them. */
  constructor(
    names: () => readonly string[],
    written: WrittenNames = { shown: (name) => name, real: (name) => name },
  ) {
    this.#names = names;
    this.#written = written;
  }

  /**
   * Lets a check fail, such as `etcd` or `poststarthook/rbac/bootstrap-roles`, in each endpoint that has it. `shutdown` makes
   * the server not ready while it goes on serving. Clients that ask for the check alone get the error.
   * @throws {Error} for a check that the server does not have
   */
  fail(check: string, error = "failed by the test"): FailingCheck {
    const name = this.#realName(check);
    const failure = { error };
    this.#failures.set(name, [...(this.#failures.get(name) ?? []), failure]);
    const end = () => {
      const left = (this.#failures.get(name) ?? []).filter((other) => other !== failure);
      this.#failures.set(name, left);
    };
    return { end, [Symbol.dispose]: end };
  }

  /**
   * Lets a check take this long, in milliseconds or as `"5s"`, by the cluster's clock: each request for it waits, as for an etcd that hangs.
   * @throws {Error} for a check that the server does not have, and for text that is no duration
   */
  delay(check: string, duration: number | string): DelayedCheck {
    const name = this.#realName(check);
    const milliseconds = typeof duration === "number" ? duration : parseDurationMilliseconds(duration);
    const delay: Delay = { milliseconds, waiting: new Set() };
    this.#delays.set(name, [...(this.#delays.get(name) ?? []), delay]);
    const end = () => {
      const left = (this.#delays.get(name) ?? []).filter((other) => other !== delay);
      if (left.length === 0) this.#delays.delete(name);
      else this.#delays.set(name, left);
      for (const proceed of delay.waiting) proceed();
    };
    return { end, [Symbol.dispose]: end };
  }

  /** Waits until a check is over; undefined if it takes no time. */
  wait(name: string, clock: Clock): Promise<void> | undefined {
    const delay = this.#delays.get(name)?.at(-1);
    if (delay === undefined) return undefined;
    const { milliseconds, waiting } = delay;
    return new Promise((resolve) => {
      const proceed = () => {
        timer.cancel();
        waiting.delete(proceed);
        resolve();
      };
      const timer = clock.after(milliseconds, proceed);
      waiting.add(proceed);
    });
  }

  #realName(check: string): string {
    const name = this.#written.real(check);
    const names = this.#names();
    if (names.includes(name)) return name;
    const known = names.map(this.#written.shown).join(", ");
    throw new Error(`health: unknown check ${JSON.stringify(check)}; known: ${known}`);
  }

  /** Why a check fails; undefined if it does not. */
  errorOf(name: string): string | undefined {
    return this.#failures.get(name)?.at(-1)?.error;
  }
}
