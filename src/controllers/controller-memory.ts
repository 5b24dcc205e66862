import type { KubeObject } from "../apimachinery/object-meta.ts";
import { ForkableMap } from "../store/forkable-map.ts";
import { EventEnds } from "./event-ends.ts";
import { CollectorMemory } from "./garbage-collector/collector-memory.ts";
import { OwnerGraph } from "./garbage-collector/graph.ts";

/** What a controller remembers, which a fork gets a copy of. */
export interface Memory {
  fork(): this;
}

/**
 * What controllers remember of the objects that they have observed, so that the controllers of a fork need not observe all
 * of them again. What grows with the number of objects forks in constant time.
 */
export class ControllerMemory {
  collector: CollectorMemory = new CollectorMemory();
  eventEnds: EventEnds = new EventEnds();
  /** The keys of all quotas. */
  quotas: ForkableMap<string> = new ForkableMap();
  /** The names of the namespaces that are terminating. */
  terminating: Set<string> = new Set();
  /** The names of the roles that aggregate others. */
  aggregating: Set<string> = new Set();
  /** When to create objects of the server again, by kind, in milliseconds since the epoch. */
  due: Map<string, number> = new Map();
  /** The memory of controllers that are loaded on demand, by name. */
  readonly #parts = new Map<string, Memory>();

  /** The part of this name. The first call makes it, and each name has one type. */
  part<T extends Memory>(name: string, make: () => T): T {
    const known = this.#parts.get(name);
    // Each name is used with one type.
    if (known !== undefined) return known as T;
    const part = make();
    this.#parts.set(name, part);
    return part;
  }

  /** The same for the equal state of another cluster, with these objects: none of them has an owner. */
  over(objects: readonly KubeObject[]): ControllerMemory {
    const copy = this.fork();
    copy.collector = new CollectorMemory(new OwnerGraph(objects));
    return copy;
  }

  fork(): ControllerMemory {
    const copy = new ControllerMemory();
    copy.collector = this.collector.fork();
    copy.eventEnds = this.eventEnds.fork();
    copy.quotas = this.quotas.fork();
    copy.terminating = new Set(this.terminating);
    copy.aggregating = new Set(this.aggregating);
    copy.due = new Map(this.due);
    for (const [name, part] of this.#parts) copy.#parts.set(name, part.fork());
    return copy;
  }
}
