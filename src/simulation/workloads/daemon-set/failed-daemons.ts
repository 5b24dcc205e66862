import { numberAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableMap } from "../../../store/forkable-map.ts";
import { keyOf } from "../contract/object-key.ts";

const firstDelay = 1000;
const longestDelay = 15 * 60_000;

interface Failure {
  readonly key: string;
  readonly delay: number;
  /** In milliseconds since the epoch. */
  readonly time: number;
}

/** How long failed daemons stay before they are replaced, by set and node. Upstream: `failedPodsBackoff` (pkg/controller/daemon/daemon_controller.go). */
export class FailedDaemons implements Memory {
  readonly #failures: ForkableMap<Failure>;

  constructor(failures: ForkableMap<Failure> = new ForkableMap()) {
    this.#failures = failures;
  }

  fork(): this {
    // The class has no subclasses.
    return new FailedDaemons(this.#failures.fork()) as this;
  }

  /** The milliseconds to wait before a failed daemon is replaced. If it is 0, the next one of this generation of the set waits twice as long. */
  delay(set: KubeObject, node: string, now: number): number {
    const key = `${keyOf(set)}/${numberAt(set, "status", "observedGeneration")}/${node}`;
    const known = this.#failures.get(key);
    if (known !== undefined && known.time + known.delay > now) return known.time + known.delay - now;
    // After twice the longest delay without a failure, it starts again.
    const isOld = known === undefined || now - known.time > 2 * longestDelay;
    const delay = isOld ? firstDelay : Math.min(2 * known.delay, longestDelay);
    this.#failures.set(key, { key, delay, time: now });
    return 0;
  }

  /** Forgets a deleted set. */
  forget(set: string): void {
    for (const { key } of this.#failures.values(`${set}/`)) this.#failures.delete(key);
  }
}
