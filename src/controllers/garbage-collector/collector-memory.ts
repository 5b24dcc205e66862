import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { ForkableMap } from "../../store/forkable-map.ts";
import { OwnerGraph } from "./graph.ts";

/** What the garbage collector remembers of the objects that it has observed. A fork takes constant time. */
export class CollectorMemory {
  readonly graph: OwnerGraph;
  /** Objects that wait because their kind, or that of an owner, is not served, by uid. */
  #unresolved: ForkableMap<string>;
  /** The owners in another namespace that an Event has reported, by dependent and owner. */
  readonly #reported: ForkableMap<string>;

  constructor(
    graph: OwnerGraph = new OwnerGraph(),
    unresolved: ForkableMap<string> = new ForkableMap(),
    reported: ForkableMap<string> = new ForkableMap(),
  ) {
    this.graph = graph;
    this.#unresolved = unresolved;
    this.#reported = reported;
  }

  fork(): CollectorMemory {
    return new CollectorMemory(this.graph.fork(), this.#unresolved.fork(), this.#reported.fork());
  }

  /** Forgets a deleted object. Returns the uids of its dependents. */
  forget(object: KubeObject): readonly string[] {
    const { uid = "" } = object.metadata;
    this.#unresolved.delete(uid);
    for (const report of this.#reported.values(reportsOf(uid))) this.#reported.delete(report);
    return this.graph.delete(object);
  }

  addUnresolved(uid: string): void {
    this.#unresolved.set(uid, uid);
  }

  /** Returns and forgets all of them. */
  takeUnresolved(): readonly string[] {
    const uids = this.#unresolved.values("");
    this.#unresolved = new ForkableMap();
    return uids;
  }

  /** Whether this owner of an object has not been reported yet; from now on it has. */
  isFirstReport(uid: string, owner: string): boolean {
    const report = reportsOf(uid) + owner;
    if (this.#reported.has(report)) return false;
    this.#reported.set(report, report);
    return true;
  }
}

/** The prefix of the reports about an object. Loaded objects can have any uid, so the length keeps them apart. */
function reportsOf(uid: string): string {
  return `${uid.length}:${uid}:`;
}
