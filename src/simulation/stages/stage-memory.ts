import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Memory } from "../../controllers/controller-memory.ts";
import { ForkableTable } from "../../store/forkable-table.ts";

/** A stage that was chosen for an object. */
export interface StageJob {
  /** The state of the object, and the stages among which it was chosen. */
  readonly resourceVersion: string;
  readonly set: number;
  readonly stage: string;
  /** When it is played, in milliseconds since the epoch; undefined once it has been. */
  readonly due: number | undefined;
  /** How often stages of the object have been played at a time, in milliseconds since the epoch. */
  readonly played: { readonly at: number; readonly count: number };
}

/** What the player of stages remembers. */
export class StageMemory implements Memory {
  /** By the key of the object. */
  jobs: ForkableTable<StageJob> = new ForkableTable();
  /** The addresses of pods, by the key of the pod. */
  addresses: ForkableTable<string> = new ForkableTable();
  /** The nodes whose pods have been looked at. */
  nodes: ForkableTable<true> = new ForkableTable();

  fork(): this {
    const copy = new StageMemory();
    copy.jobs = this.jobs.fork();
    copy.addresses = this.addresses.fork();
    copy.nodes = this.nodes.fork();
    // The class has no subclasses.
    return copy as this;
  }

  /** Forgets an object that is gone. Returns the address that a pod had. */
  forget(key: string, { kind, metadata: { namespace = "", name = "" } }: KubeObject): string | undefined {
    this.jobs.delete(key);
    if (kind === "Node") this.nodes.delete(name);
    if (kind !== "Pod") return undefined;
    const address = this.addresses.get(`${namespace}/${name}`);
    if (address !== undefined) this.addresses.delete(`${namespace}/${name}`);
    return address;
  }
}
