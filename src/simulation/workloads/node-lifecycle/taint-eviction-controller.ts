import { listAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Controller, ObjectChange } from "../../../controllers/contract/controller.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { isTolerated } from "../../placement/tolerations.ts";
import { nodes, pods } from "../contract/core-resources.ts";
import { isOfKind, keyOf, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { type Disruption, disruptedStatus, disruptPod } from "../pods/pod-disruption.ts";
import { nodeOf, PodsOnNodes } from "../pods/pods-on-nodes.ts";
import { TaintEvictions } from "./taint-evictions.ts";

const evicted: Disruption = {
  reason: "DeletionByTaintManager",
  message: "Taint manager: deleting due to NoExecute taint",
};

/** Evicts pods from nodes whose taints they do not tolerate, or not for ever. Upstream: pkg/controller/tainteviction. */
export function taintEvictionController(environment: WorkloadEnvironment): Controller {
  const { memory, lister, pods: known } = environment;
  const onNodes = memory.part("workloads/pods-on-nodes", () => new PodsOnNodes());
  const evictions = memory.part("workloads/taint-evictions", () => new TaintEvictions());
  const sync = new TaintEvictionSync(environment, evictions);
  return {
    name: "taint-eviction-controller",
    kinds: ["Pod", "Node"],
    observe: (change) => {
      const { type, object } = change;
      if (isOfKind(object, nodes)) return observeTaints(change, evictions) ? onNodes.on(nameOf(object)) : [];
      if (!isOfKind(object, pods)) return [];
      onNodes.take(change);
      const former = known.take(change);
      const key = keyOf(object);
      if (type === "delete") return evictions.get(key) === undefined ? [] : [key];
      if (evictions.taintsOf(nodeOf(object)).length === 0) return [];
      return former !== undefined && isPlacedAlike(former, object) ? [] : [key];
    },
    reconcile: async (key) => {
      const { namespace, name } = namesOf(key);
      return sync.reconcile(key, lister.get(pods, namespace, name));
    },
  };
}

/** Whether the taints with the effect NoExecute have changed. */
function observeTaints({ type, object }: ObjectChange, evictions: TaintEvictions): boolean {
  const name = nameOf(object);
  const taints = listAt(object, "spec", "taints").filter(({ effect }) => effect === "NoExecute");
  const isNew = !jsonEqual([...taints], [...evictions.taintsOf(name)]);
  evictions.setTaints(name, type === "put" ? taints : []);
  return type === "put" && isNew;
}

class TaintEvictionSync {
  readonly #environment: WorkloadEnvironment;
  readonly #evictions: TaintEvictions;
  readonly #recorder: EventRecorder;

  constructor(environment: WorkloadEnvironment, evictions: TaintEvictions) {
    this.#environment = environment;
    this.#evictions = evictions;
    const isOwnController = environment.gates.since("1.29");
    this.#recorder = environment.recorderOf(
      isOwnController ? "taint-eviction-controller" : "taint-controller",
    );
  }

  /** Returns the milliseconds until the eviction. Upstream: `processPodOnNode`. */
  async reconcile(key: string, pod: KubeObject | undefined): Promise<number | undefined> {
    const now = this.#environment.clock.now();
    const planned = this.#evictions.get(key);
    if (pod === undefined) return this.#cancel(key);
    if (isDue(planned, now)) return this.#evict(key, pod);
    const taints = this.#evictions.taintsOf(nodeOf(pod));
    if (taints.length === 0) return this.#cancel(key);
    const time = tolerationTime(taints, listAt(pod, "spec", "tolerations"));
    if (time === undefined) {
      await this.#cancel(key);
      return this.#evict(key, pod);
    }
    if (time === Number.POSITIVE_INFINITY) return this.#cancel(key);
    // What is planned stays, even if the pod now tolerates the taints for another time.
    if (planned === undefined) this.#evictions.set(key, { due: now + time });
    const eviction = planned ?? { due: now + time };
    return eviction === "done" ? undefined : eviction.due - now;
  }

  async #evict(key: string, pod: KubeObject): Promise<undefined> {
    await this.#say(key, `Marking for deletion Pod ${key}`);
    const { gates } = this.#environment;
    const status = gates.since("1.26") ? disruptedStatus(pod, evicted, this.#environment) : undefined;
    await disruptPod(this.#environment, pod, status);
    this.#evictions.set(key, "done");
  }

  async #cancel(key: string): Promise<undefined> {
    const planned = this.#evictions.get(key);
    if (planned === undefined) return;
    this.#evictions.delete(key);
    if (planned !== "done") await this.#say(key, `Cancelling deletion of Pod ${key}`);
  }

  /** The controller knows its pods by name only. */
  #say(key: string, message: string): Promise<void> {
    const about = { apiVersion: "v1", kind: "Pod", metadata: namesOf(key) };
    return this.#recorder.record(about, { type: "Normal", reason: "TaintManagerEviction", message });
  }
}

function isDue(planned: ReturnType<TaintEvictions["get"]>, now: number): boolean {
  return planned !== undefined && planned !== "done" && planned.due <= now;
}

/** How many milliseconds all taints are tolerated; undefined if one is not. Upstream: `GetMatchingTolerations`, `getMinTolerationTime`. */
function tolerationTime(
  taints: readonly JsonObject[],
  tolerations: readonly JsonObject[],
): number | undefined {
  const used = taints.map((taint) => tolerations.find((one) => isTolerated(taint, [one])));
  const times = used.map((toleration) => toleration && millisecondsOf(toleration));
  return times.reduce<number | undefined>(
    (least, time) => (least === undefined || time === undefined ? undefined : Math.min(least, time)),
    Number.POSITIVE_INFINITY,
  );
}

function millisecondsOf({ tolerationSeconds }: JsonObject): number {
  const isLimited = typeof tolerationSeconds === "number" || typeof tolerationSeconds === "bigint";
  return isLimited ? Math.max(0, Number(tolerationSeconds) * 1000) : Number.POSITIVE_INFINITY;
}

function isPlacedAlike(former: KubeObject, pod: KubeObject): boolean {
  const tolerationsOf = (one: KubeObject) => [...listAt(one, "spec", "tolerations")];
  return nodeOf(former) === nodeOf(pod) && jsonEqual(tolerationsOf(former), tolerationsOf(pod));
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? "";
}
