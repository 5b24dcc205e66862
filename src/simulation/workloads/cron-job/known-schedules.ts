import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableTable } from "../../../store/forkable-table.ts";

/** The schedules of CronJobs when the controller last looked at them. */
export class KnownSchedules implements Memory {
  readonly #schedules: ForkableTable<string>;

  constructor(schedules: ForkableTable<string> = new ForkableTable()) {
    this.#schedules = schedules;
  }

  fork(): this {
    // The class has no subclasses.
    return new KnownSchedules(this.#schedules.fork()) as this;
  }

  /** Takes in the schedule of a CronJob, and returns whether it replaces another one. */
  replace(key: string, cronJob: KubeObject): boolean {
    const schedule = `${textAt(cronJob, "spec", "timeZone")} ${textAt(cronJob, "spec", "schedule")}`;
    const known = this.#schedules.get(key);
    if (known === schedule) return false;
    this.#schedules.set(key, schedule);
    return known !== undefined;
  }

  delete(key: string): void {
    this.#schedules.delete(key);
  }
}
