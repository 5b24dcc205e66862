import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableTable } from "../../../store/forkable-table.ts";
import { finishedTime } from "./pod-end.ts";

const firstDelay = 10_000;
const longestDelay = 600_000;

/** The failures of a Job since its last success. */
export interface BackoffRecord {
  readonly failures: number;
  /** In milliseconds since the epoch. */
  readonly last: number;
}

/** How long the Jobs wait before they replace failed pods. Upstream: `backoffStore` (pkg/controller/job/backoff_utils.go). */
export class JobBackoff implements Memory {
  readonly #records: ForkableTable<BackoffRecord>;

  constructor(records: ForkableTable<BackoffRecord> = new ForkableTable()) {
    this.#records = records;
  }

  fork(): this {
    // The class has no subclasses.
    return new JobBackoff(this.#records.fork()) as this;
  }

  set(key: string, record: BackoffRecord): void {
    this.#records.set(key, record);
  }

  delete(key: string): void {
    this.#records.delete(key);
  }

  /** The record of a Job with the pods that have ended since: a success starts from zero. */
  next(key: string, succeeded: readonly KubeObject[], failed: readonly KubeObject[]): BackoffRecord {
    const known = this.#records.get(key) ?? { failures: 0, last: 0 };
    const failures = failed.map(finishedTime);
    const last = Math.max(...failures);
    if (succeeded.length === 0)
      return failed.length === 0 ? known : { failures: known.failures + failures.length, last };
    const success = Math.max(...succeeded.map(finishedTime));
    const after = failures.filter((time) => time > success);
    return { failures: after.length, last: Math.max(0, ...after) };
  }
}

/** The milliseconds until the next pod may be created. */
export function remainingBackoff({ failures, last }: BackoffRecord, now: number): number {
  if (failures === 0) return 0;
  const delay = Math.min(firstDelay * 2 ** (failures - 1), longestDelay);
  return Math.max(0, last + delay - now);
}
