import { listAt, numberAt, sizeAt, structAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { labelSelectorFromObject } from "../../../apimachinery/selectors/label-selector-object.ts";
import type { Controller, ObjectChange } from "../../../controllers/contract/controller.ts";
import { KeySet } from "../../contract/key-set.ts";
import type { EventRecorder } from "../../events/event-recorder.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import { controllerRevisions, daemonSets } from "../contract/workload-resources.ts";
import { updateStatus } from "../environment/update-status.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { affectedOwners } from "../ownership/affected-owners.ts";
import { claimObjects } from "../ownership/claim-objects.ts";
import { controllerOf } from "../ownership/controller-reference.ts";
import { OwnedObjects } from "../ownership/owned-objects.ts";
import { SelectorIndex } from "../ownership/selector-index.ts";
import { isNamespaceTerminating, PodControl } from "../pods/pod-control.ts";
import { isFinished, readySince, untilAvailable } from "../pods/pod-state.ts";
import { slowStart } from "../pods/slow-start.ts";
import { revisionIndex } from "../revisions/controller-history.ts";
import { cleanUpHistory, currentRevision } from "./daemon-history.ts";
import {
  type DaemonPlan,
  type DaemonView,
  isAvailable,
  placeDaemons,
  updateDaemons,
} from "./daemon-placement.ts";
import { daemonPod, hashLabel, isUpdated, placementOf, targetNode } from "./daemon-pod.ts";
import { FailedDaemons } from "./failed-daemons.ts";

const nodes = { group: "", resource: "nodes" };
const mostPerSync = 250;

/** Runs the pods of DaemonSets, one on each node that fits. Upstream: pkg/controller/daemon. */
export function daemonSetController(environment: WorkloadEnvironment): Controller {
  const { memory, pods } = environment;
  const selectors = memory.part("workloads/daemonsets/selectors", () => new SelectorIndex());
  const keys = memory.part("workloads/daemonsets", () => new KeySet());
  const known = memory.part("workloads/nodes", () => new OwnedObjects({ group: "", kind: "Node" }));
  const history = revisionIndex(environment);
  const sync = new DaemonSetSync(environment, history);
  return {
    name: "daemonset-controller",
    kinds: ["DaemonSet", "ControllerRevision", "Pod", "Node"],
    observe: (change) => {
      const { object, type } = change;
      if (isOfKind(object, daemonSets)) {
        selectors.take(change, labelSelectorFromObject(valueAt(object, "spec", "selector")));
        if (type === "put") keys.add(keyOf(object));
        else keys.delete(keyOf(object));
        return type === "put" ? [keyOf(object)] : [];
      }
      if (isOfKind(object, controllerRevisions))
        return setsOfRevision(change, history.take(change), selectors);
      if (object.kind === "Node") return changesPlacement(change, known.take(change)) ? keys.keys() : [];
      if (object.kind !== "Pod") return [];
      return affectedOwners(change, pods.take(change), daemonSets, selectors);
    },
    reconcile: (key) => sync.reconcile(key),
  };
}

/** A set that has just created its revision needs no look at it. Upstream: `addHistory`, `updateHistory` and `deleteHistory`. */
function setsOfRevision(
  change: ObjectChange,
  former: KubeObject | undefined,
  selectors: SelectorIndex,
): readonly string[] {
  const isNew = former === undefined && controllerOf(change.object) !== undefined;
  return isNew ? [] : affectedOwners(change, former, daemonSets, selectors);
}

/** The status of a node says nothing about daemons. */
function changesPlacement({ type, object }: ObjectChange, former: KubeObject | undefined): boolean {
  if (type === "delete" || former === undefined) return true;
  const isSame = jsonEqual(former.metadata.labels, object.metadata.labels);
  return !isSame || !jsonEqual(listAt(former, "spec", "taints"), listAt(object, "spec", "taints"));
}

class DaemonSetSync {
  readonly #environment: WorkloadEnvironment;
  readonly #history: OwnedObjects;
  readonly #recorder: EventRecorder;
  readonly #control: PodControl;
  readonly #failed: FailedDaemons;

  constructor(environment: WorkloadEnvironment, history: OwnedObjects) {
    this.#environment = environment;
    this.#history = history;
    this.#recorder = environment.recorderOf("daemonset-controller");
    this.#control = new PodControl(environment.client, this.#recorder);
    this.#failed = environment.memory.part("workloads/daemonsets/failed", () => new FailedDaemons());
  }

  async reconcile(key: string): Promise<number | undefined> {
    const { lister, clock } = this.#environment;
    const { namespace, name } = namesOf(key);
    const set = lister.get(daemonSets, namespace, name);
    if (set === undefined) {
      this.#failed.forget(key);
      return undefined;
    }
    if (sizeAt(set, "spec", "selector") === 0) return this.#refuseEmptySelector(set);
    if (isTerminating(set)) return undefined;
    const history = await this.#claim(set, this.#history);
    const revision = await currentRevision(this.#environment, set, history);
    if (revision === undefined) return undefined;
    const hash = revision.metadata.labels?.[hashLabel] ?? "";
    const pods = await this.#claim(set, this.#environment.pods);
    const view = this.#view(set, hash, pods);
    const { plan, delay } = await this.#place(view, pods);
    const failure = await this.#apply(view, plan, updateDaemons(view));
    if (failure === undefined) await cleanUpHistory(this.#environment, set, history, pods, revision);
    await this.#report(view);
    if (failure !== undefined) throw failure;
    return earliest(delay, this.#nextAvailability(set, pods, clock.now()));
  }

  #view(set: KubeObject, hash: string, pods: readonly KubeObject[]): DaemonView {
    const byNode = new Map<string, KubeObject[]>();
    // What has ended and is being deleted needs nothing more. Upstream: `getNodesToDaemonPods`.
    const present = pods.filter((pod) => !isFinished(pod) || !isTerminating(pod));
    for (const pod of present.toSorted(byCreation)) {
      const node = targetNode(pod);
      byNode.set(node, [...(byNode.get(node) ?? []), pod]);
    }
    const all = this.#environment.lister.list(nodes, "").map((node) => {
      const name = node.metadata.name ?? "";
      return { name, placement: placementOf(set, node), pods: byNode.get(name) ?? [] };
    });
    const { clock, gates } = this.#environment;
    return { set, hash, nodes: all, now: clock.now(), since: gates.since };
  }

  #claim(owner: KubeObject, index: OwnedObjects): Promise<readonly KubeObject[]> {
    const { lister, client } = this.#environment;
    const { uid = "", namespace = "" } = owner.metadata;
    const selector = labelSelectorFromObject(valueAt(owner, "spec", "selector"));
    const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels ?? {});
    const candidates = [...index.ownedBy(uid), ...index.orphansIn(namespace)];
    return claimObjects({ owner, resource: daemonSets, lister, client, matches }, candidates);
  }

  /** Also deletes the pods that ended, the failed ones after a delay, and those that wait for a node that is gone. */
  async #place(
    view: DaemonView,
    pods: readonly KubeObject[],
  ): Promise<{ readonly plan: DaemonPlan; readonly delay: number | undefined }> {
    const names = new Set(view.nodes.map(({ name }) => name));
    const isLost = (pod: KubeObject) => {
      const target = textAt(pod, "spec", "nodeName") === "" ? targetNode(pod) : "";
      return target !== "" && !names.has(target) && !isTerminating(pod);
    };
    const ended: KubeObject[] = [];
    let delay: number | undefined;
    for (const node of view.nodes.filter(({ placement }) => placement !== "leaves")) {
      for (const pod of node.pods.filter((one) => isFinished(one) && !isTerminating(one))) {
        const isFailed = textAt(pod, "status", "phase") === "Failed";
        const wait = isFailed ? this.#failed.delay(view.set, node.name, view.now) : 0;
        if (wait > 0) delay = earliest(delay, wait);
        else ended.push(pod);
      }
    }
    for (const pod of ended) await this.#sayEnded(view.set, pod);
    const { create, remove } = placeDaemons(view, isFinished);
    return {
      plan: { create, remove: [...ended, ...remove, ...pods.filter(isLost)] },
      delay,
    };
  }

  #sayEnded(set: KubeObject, pod: KubeObject): Promise<void> {
    const isFailed = textAt(pod, "status", "phase") === "Failed";
    const { namespace, name } = pod.metadata;
    const place = `daemon pod ${namespace}/${name} on node ${targetNode(pod)}`;
    return this.#recorder.record(
      set,
      isFailed
        ? {
            type: "Warning",
            reason: "FailedDaemonPod",
            message: `Found failed ${place}, will try to kill it`,
          }
        : {
            type: "Normal",
            reason: "SucceededDaemonPod",
            message: `Found succeeded ${place}, will try to delete it`,
          },
    );
  }

  /** Carries out both plans; the second one, of an update, waits until the first one has nothing left to do. */
  async #apply(view: DaemonView, placed: DaemonPlan, updated: DaemonPlan): Promise<unknown> {
    const isPlaced = placed.create.length + placed.remove.length === 0;
    const { create, remove } = isPlaced ? updated : placed;
    let failure = await slowStart(Math.min(create.length, mostPerSync), async (i) => {
      try {
        await this.#control.create(view.set, daemonPod(view.set, view.hash, create[i] ?? ""));
      } catch (error) {
        if (!isNamespaceTerminating(error)) throw error;
      }
    });
    for (const pod of remove.slice(0, mostPerSync)) {
      await this.#control.delete(view.set, pod).catch((error: unknown) => {
        failure ??= error;
      });
    }
    return failure;
  }

  /** Upstream: `updateDaemonSetStatus`. */
  async #report(view: DaemonView): Promise<void> {
    const { set, nodes: all, hash } = view;
    const wanted = all.filter(({ placement }) => placement === "runs");
    const oldest = wanted.flatMap(({ pods }) => pods[0] ?? []);
    const available = oldest.filter((pod) => isAvailable(view, pod)).length;
    const updated = oldest.filter((pod) => isUpdated(set, pod, hash)).length;
    const { collisionCount, conditions } = structAt(set, "status");
    const status: JsonObject = {
      currentNumberScheduled: oldest.length,
      numberMisscheduled: all.filter(({ placement, pods }) => placement !== "runs" && pods.length > 0).length,
      desiredNumberScheduled: wanted.length,
      numberReady: oldest.filter((pod) => readySince(pod) !== undefined).length,
      observedGeneration: set.metadata.generation ?? 0,
      ...(updated > 0 && { updatedNumberScheduled: updated }),
      ...(available > 0 && { numberAvailable: available }),
      ...(wanted.length > available && { numberUnavailable: wanted.length - available }),
      ...(collisionCount !== undefined && { collisionCount }),
      ...(conditions !== undefined && { conditions }),
    };
    if (!jsonEqual(status, structAt(set, "status")))
      await updateStatus(this.#environment, daemonSets, set, status);
  }

  #nextAvailability(set: KubeObject, pods: readonly KubeObject[], now: number): number | undefined {
    const seconds = numberAt(set, "spec", "minReadySeconds");
    const left = pods.map((pod) => untilAvailable(pod, seconds, now) ?? 0).filter((one) => one > 0);
    return left.length > 0 ? Math.min(...left) : undefined;
  }

  async #refuseEmptySelector(set: KubeObject): Promise<undefined> {
    const message = "This daemon set is selecting all pods. A non-empty selector is required.";
    await this.#recorder.record(set, { type: "Warning", reason: "SelectingAll", message });
  }
}

function earliest(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined || second === undefined ? (first ?? second) : Math.min(first, second);
}

/** The pods with a node first, then the oldest. Upstream: `podByCreationTimestampAndPhase`. */
function byCreation(a: KubeObject, b: KubeObject): number {
  const order = (pod: KubeObject) => {
    const { creationTimestamp, name } = pod.metadata;
    return `${textAt(pod, "spec", "nodeName") === "" ? 1 : 0} ${creationTimestamp} ${name}`;
  };
  return order(a) < order(b) ? -1 : 1;
}
