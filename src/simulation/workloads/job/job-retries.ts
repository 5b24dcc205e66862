import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableTable } from "../../../store/forkable-table.ts";

/** `DefaultJobApiBackOff` and `MaxJobApiBackOff`, in milliseconds. Other controllers try sooner at first, and later in the end. */
const firstDelay = 1000;
const longestDelay = 60_000;

/** When Jobs are looked at again after a refusal, such as that of a quota. Upstream: `newControllerWithClock` (pkg/controller/job/job_controller.go). */
export class JobRetries implements Memory {
  /** How often a Job has failed since its last success, by key. */
  readonly #failures: ForkableTable<number>;

  constructor(failures: ForkableTable<number> = new ForkableTable()) {
    this.#failures = failures;
  }

  fork(): this {
    // The class has no subclasses.
    return new JobRetries(this.#failures.fork()) as this;
  }

  /** Calls a function that returns the delay of the next look. After a failure, the delay grows. */
  async run(key: string, look: () => Promise<number | undefined>): Promise<number | undefined> {
    try {
      const delay = await look();
      this.#failures.delete(key);
      return delay;
    } catch {
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      return Math.min(firstDelay * 2 ** failures, longestDelay);
    }
  }
}
