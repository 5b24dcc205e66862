import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ControllerProgress } from "../controllers/controller-manager.ts";
import { LastFew } from "../sharing/last-few.ts";
import type { Store } from "../store/store.ts";
import type { Config } from "./options.ts";

/**
 * What controllers remember once they have settled in a new cluster of some options. It is known after the first one if they
 * found nothing to do there, and later clusters begin with it: their objects differ only in uids and times.
 */
export class SettledStart {
  #progress: ControllerProgress | undefined;

  /** Undefined until it is known. */
  progressWith(store: Store<KubeObject>): ControllerProgress | undefined {
    if (this.#progress === undefined) return undefined;
    const objects = store.range({ prefix: "/registry/" }).items.map(({ value }) => value);
    return { ...this.#progress, memory: this.#progress.memory.over(objects) };
  }

  /** Notes how far controllers have come in a store of a new cluster, if they wrote nothing and have nothing left to do. */
  note(store: Store<KubeObject>, progress: ControllerProgress | undefined): void {
    if (this.#progress !== undefined || progress === undefined || progress.queue.length > 0) return;
    const { items, revision } = store.range({ prefix: "" });
    if (items.length === revision - 1) this.#progress = { ...progress, memory: progress.memory.over([]) };
  }
}

/**
 * The start of the clusters with these options; those of the last few sets are kept. Undefined if the server publishes how it
 * authenticates, which differs from cluster to cluster, and for a simulation, whose controllers remember more of the objects.
 */
export function settledStartOf({
  catalog,
  controllers,
  givenGates,
  simulation,
  authentication: { clientCa, requestHeader },
}: Config): SettledStart | undefined {
  if (clientCa !== undefined || requestHeader !== undefined || simulation.length > 0) return undefined;
  // What decides what controllers do in a new cluster, besides what is published: they always look at that again.
  return catalog.derived(settledStarts).of([controllers, [...givenGates]], () => new SettledStart());
}

function settledStarts(): LastFew<SettledStart> {
  return new LastFew();
}
