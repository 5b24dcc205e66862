import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Memory } from "../../../controllers/controller-memory.ts";
import { ForkableTable } from "../../../store/forkable-table.ts";
import { keyOf } from "../contract/object-key.ts";
import { conditionOf } from "../pods/pod-state.ts";

export const triggerTimeAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

interface Seen {
  readonly created: string;
  /** When each pod last became ready, or stopped being ready, by name. */
  readonly pods: ReadonlyMap<string, string>;
}

/** When the changes happened that endpoints follow. Upstream: `TriggerTimeTracker` (staging/src/k8s.io/endpointslice/trace). */
export class TriggerTimes implements Memory {
  readonly #seen: ForkableTable<Seen>;

  constructor(seen: ForkableTable<Seen> = new ForkableTable()) {
    this.#seen = seen;
  }

  fork(): this {
    // The class has no subclasses.
    return new TriggerTimes(this.#seen.fork()) as this;
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }

  /** The earliest change of a service and its pods since the last call; undefined if there is none. */
  next(service: KubeObject, pods: readonly KubeObject[]): string | undefined {
    const key = keyOf(service);
    const seen = this.#seen.get(key);
    const created = service.metadata.creationTimestamp ?? "";
    const times = new Map(pods.map((pod) => [pod.metadata.name ?? "", transitionOf(pod)]));
    this.#seen.set(key, { created, pods: times });
    if (seen === undefined) return created;
    const changed = [...times]
      .filter(([name, time]) => time > (seen.pods.get(name) ?? ""))
      .map(([, time]) => time);
    if (created > seen.created) changed.push(created);
    return changed.toSorted()[0];
  }
}

function transitionOf(pod: KubeObject): string {
  return textAt(conditionOf(pod, "Ready") ?? {}, "lastTransitionTime");
}
