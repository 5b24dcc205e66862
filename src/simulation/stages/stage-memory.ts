import type { Memory } from "../../controllers/controller-memory.ts";
import { ForkableMap } from "../../store/forkable-map.ts";

/** A stage that was chosen for an object. */
export interface StageJob {
  /** The state of the object, and the stages among which it was chosen. */
  readonly resourceVersion: string;
  readonly set: number;
  readonly stage: string;
  /** When it is played, in milliseconds since the epoch; undefined once it has been. */
  readonly due: number | undefined;
}

/** What the player of stages remembers. */
export class StageMemory implements Memory {
  /** By the key of the object. */
  jobs: ForkableMap<StageJob> = new ForkableMap();
  /** The addresses of pods, by the key of the pod. */
  addresses: ForkableMap<string> = new ForkableMap();
  /** The nodes whose pods have been looked at. */
  nodes: ForkableMap<true> = new ForkableMap();

  fork(): this {
    const copy = new StageMemory();
    copy.jobs = this.jobs.fork();
    copy.addresses = this.addresses.fork();
    copy.nodes = this.nodes.fork();
    // The class has no subclasses.
    return copy as this;
  }
}
