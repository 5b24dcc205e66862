import { isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { listAt, objectAt, sizeAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ControllerClient } from "../../controllers/contract/controller.ts";
import { type Condition, observedGeneration, withPodCondition } from "../../kinds/core/pod/pod-conditions.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import type { ActionRecorder } from "../events/action-recorder.ts";
import { bindingPatch, selectedNode } from "../placement/volume-binding.ts";
import { bindingErrorMessage } from "./binding-error.ts";
import type { Occasion, PluginRejection } from "./filters/filter.ts";
import { filtersFor } from "./filters/filters.ts";
import { type VolumePlan, volumePlanOf } from "./filters/volumes.ts";
import { fitErrorMessage, preFilterMessage } from "./fit-error.ts";
import { chosenNode, type Feasibility, feasibleNodes, rejectionWithNominated } from "./node-choice.ts";
import { type Preemption, preempt } from "./preemption.ts";
import { activateForPlaced } from "./queueing-hints.ts";
import type { SchedulerMemory } from "./scheduler-memory.ts";
import type { SchedulingQueue } from "./scheduling-queue.ts";
import type { ClusterView } from "./snapshot/cluster-view.ts";
import type { NodeInfo } from "./snapshot/node-info.ts";
import { type PodInfo, podInfo } from "./snapshot/pod-info.ts";

const pods = { group: "", resource: "pods" };

export const schedulerName = "default-scheduler";

/** What the scheduler works with. */
export interface SchedulerParts {
  readonly environment: SimulationEnvironment;
  /** The client of kube-scheduler. */
  readonly client: ControllerClient;
  readonly recorder: ActionRecorder;
  readonly memory: SchedulerMemory;
  readonly queue: SchedulingQueue;
}

/** Assigns pods to nodes, the most important pod first. */
export class Scheduler {
  readonly #parts: SchedulerParts;
  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /** Tries all pods that wait to be tried. Those whose writes fail back off. Returns the milliseconds until the next back-off ends. */
  async scheduleAll(): Promise<number | undefined> {
    const { queue, environment } = this.#parts;
    const { lister, clock } = environment;
    queue.endBackOffs(clock.now());
    for (let key = queue.first(); key !== undefined; key = queue.first()) {
      const [namespace = "", name = ""] = key.split("/");
      const pod = lister.get(pods, namespace, name);
      if (pod === undefined || !isSchedulable(pod)) {
        queue.delete(key);
        continue;
      }
      const info = podInfo(pod);
      try {
        // The pod leaves the queue when it is bound or parked, so that a fork that is made meanwhile tries it again.
        await this.#schedule(info);
      } catch {
        queue.backOff(info, clock.now());
      }
    }
    const next = queue.nextBackOff();
    return next === undefined ? undefined : next - clock.now();
  }

  async #schedule(pod: PodInfo): Promise<void> {
    const { environment, memory } = this.#parts;
    const view = memory.view(environment.lister, environment.gates);
    const filter = filtersFor(pod, view);
    if (typeof filter !== "function") {
      const message = preFilterMessage(view.nodes.length, filter.reasons.join(", "));
      return this.#giveWay(pod, message, view, new Map(view.nodes.map(({ name }) => [name, filter])));
    }
    const assumed = view.node(memory.assumedNode(pod.key) ?? "");
    if (assumed !== undefined && filter(assumed) === undefined) return this.#place(pod, assumed, view);
    const nominated = view.node(textAt(pod.pod, "status", "nominatedNodeName"));
    if (nominated !== undefined && environment.gates.since("1.22")) {
      // The node where others have made room is not compared with others. Upstream: `evaluateNominatedNode`.
      const rejection = rejectionWithNominated(pod, nominated, view) ?? filter(nominated);
      if (rejection === undefined) return this.#place(pod, nominated, view);
    }
    const found = feasibleNodes(pod, view, filter, memory);
    const node = chosenNode(pod, found.feasible, view, environment.identifiers);
    return node === undefined ? this.#makeRoom(pod, view, found) : this.#place(pod, node, view);
  }

  /** Binds the volumes of a pod and then, when they are bound, the pod. */
  async #place(pod: PodInfo, node: NodeInfo, view: ClusterView): Promise<void> {
    const plan = volumePlanOf(pod, node, view);
    if (plan.bindings.length + plan.provisions.length > 0) return this.#bindVolumes(pod, node.name, plan);
    await this.#bind(pod, node.name);
  }

  async #bind({ pod, ...info }: PodInfo, node: string): Promise<void> {
    const { client, recorder, memory, queue, environment } = this.#parts;
    const { gates } = environment;
    const { namespace = "", name = "", uid = "" } = pod.metadata;
    const target = { kind: "Node", name: node };
    const binding = { apiVersion: "v1", kind: "Binding", metadata: { name, namespace, uid }, target };
    try {
      await client.create(binding, { namespace, subresource: "binding" });
    } catch (error) {
      if (!isNotFound(error))
        await this.#say(pod, "SchedulerError", bindingErrorMessage(info.key, error, gates), {});
      throw error;
    }
    memory.withdraw(info.key, textAt(pod, "status", "nominatedNodeName"));
    memory.putPod({ pod, ...info }, node);
    queue.delete(info.key);
    activateForPlaced({ pod, ...info }, queue, environment.lister);
    const message = `Successfully assigned ${info.key} to ${node}`;
    await recorder.record(pod, { type: "Normal", reason: "Scheduled", action: "Binding", message });
  }

  /** Reserves volumes on a node, and asks for new ones; the pod is tried again once they are bound. Upstream: `bindAPIUpdate`. */
  async #bindVolumes(pod: PodInfo, node: string, { bindings, provisions }: VolumePlan): Promise<void> {
    const { client } = this.#parts;
    const { namespace } = pod;
    for (const [claim, volume] of bindings) {
      const patch = bindingPatch(volume, claim);
      if (patch !== undefined)
        await client.patch("v1", "PersistentVolume", volume.metadata.name ?? "", patch);
    }
    const patch = { metadata: { annotations: { [selectedNode]: node } } };
    for (const { metadata } of provisions) {
      await client.patch("v1", "PersistentVolumeClaim", metadata.name ?? "", patch, { namespace });
    }
    this.#parts.memory.assume(pod.key, node);
    this.#park(pod, ["volume", "node"]);
  }

  /** Says why no node takes a pod, and lets pods of lower priority leave if that helps. */
  async #makeRoom(pod: PodInfo, view: ClusterView, { rejections }: Feasibility): Promise<void> {
    const reasons = [...rejections.values()].flatMap((rejection) => rejection.reasons);
    const message = fitErrorMessage(view.nodes.length, reasons);
    if (view.nodes.length === 0) return this.#fail(pod, message, undefined, rejections);
    await this.#giveWay(pod, message, view, rejections);
  }

  /** Lets pods of lower priority leave if that helps a pod, and says why it has no node yet. */
  async #giveWay(
    pod: PodInfo,
    message: string,
    view: ClusterView,
    rejections: ReadonlyMap<string, PluginRejection>,
  ): Promise<void> {
    const result = preempt(pod, view, rejections);
    if ("message" in result)
      return this.#fail(
        pod,
        `${message} preemption: ${result.message}`,
        result.isHopeless ? "" : undefined,
        rejections,
      );
    for (const victim of result.victims) await this.#evict(victim, pod, result);
    await this.#clearNominations(pod, result.node);
    await this.#fail(pod, message, result.node, rejections);
  }

  /** Pods of lower priority that are nominated for a node may no longer fit, so they look for another one. Upstream: `prepareCandidate`. */
  async #clearNominations({ priority }: PodInfo, node: string): Promise<void> {
    const { client, memory, queue } = this.#parts;
    for (const { key, pod, ...other } of memory.nominatedFor(node)) {
      if (other.priority >= priority) continue;
      memory.withdraw(key, node);
      const { namespace = "", name = "" } = pod.metadata;
      const status = { nominatedNodeName: null };
      await client.patch("v1", "Pod", name, { status }, { namespace, subresource: "status" });
      queue.add(key, other.priority);
    }
  }

  async #evict({ pod: victim }: PodInfo, { pod, spec }: PodInfo, { node }: Preemption): Promise<void> {
    const { client, recorder, environment } = this.#parts;
    if (victim.metadata.deletionTimestamp) return;
    const { namespace = "", name = "", uid = "" } = victim.metadata;
    const current = environment.lister.get(pods, namespace, name);
    if (current?.metadata.uid !== uid) return;
    const condition: Condition = {
      type: "DisruptionTarget",
      status: "True",
      reason: "PreemptionByScheduler",
      message: `${textAt(spec, "schedulerName")}: preempting to accommodate a higher priority pod`,
      ...observedGeneration(current, environment.gates),
    };
    await this.#setConditions(current, condition, {});
    await client.delete("v1", "Pod", name, { namespace, preconditions: { uid } });
    const message = `Preempted by ${preemptorName(pod, environment.gates)} on node ${node}`;
    const event = { type: "Normal", reason: "Preempted", action: "Preempting", message } as const;
    await recorder.record(victim, { ...event, related: pod });
  }

  /** `nominated` is the node that gets room for the pod, or empty if none does; undefined leaves what has been said. */
  async #fail(
    pod: PodInfo,
    message: string,
    nominated: string | undefined,
    rejections: ReadonlyMap<string, PluginRejection>,
  ): Promise<void> {
    this.#park(pod, occasionsOf(rejections));
    const before = textAt(pod.pod, "status", "nominatedNodeName");
    const isChanged = nominated !== undefined && nominated !== before;
    if (isChanged) this.#parts.memory.withdraw(pod.key, before);
    if (nominated) this.#parts.memory.nominate(pod, nominated);
    const more = isChanged ? { nominatedNodeName: nominated || null } : {};
    await this.#say(pod.pod, "Unschedulable", message, more);
  }

  /** Says in the status of a pod and in an Event why it has no node. */
  async #say(
    pod: KubeObject,
    reason: "Unschedulable" | "SchedulerError",
    message: string,
    more: JsonObject,
  ): Promise<void> {
    const generation = observedGeneration(pod, this.#parts.environment.gates);
    const condition: Condition = { type: "PodScheduled", status: "False", reason, message, ...generation };
    await this.#setConditions(pod, condition, more);
    const event = { type: "Warning", reason: "FailedScheduling", action: "Scheduling", message } as const;
    await this.#parts.recorder.record(pod, event);
  }

  async #setConditions(pod: KubeObject, condition: Condition, more: JsonObject): Promise<void> {
    const { client, environment } = this.#parts;
    const { namespace = "", name = "" } = pod.metadata;
    const before = objectAt(pod, "status") ?? {};
    const conditions = listAt(before, "conditions");
    const isSaid = conditions.some(
      ({ type, status, reason, message }) =>
        type === condition.type &&
        status === condition.status &&
        reason === condition.reason &&
        message === condition.message,
    );
    if (isSaid && Object.keys(more).every((field) => before[field] === more[field])) return;
    const after = withPodCondition(before, condition, environment.clock.now());
    const status = { conditions: after["conditions"] ?? [], ...more };
    await client.patch("v1", "Pod", name, { status }, { namespace, subresource: "status" });
  }

  #park({ key, priority, pod }: PodInfo, occasions: readonly Occasion[]): void {
    this.#parts.queue.park({ key, priority, pod, occasions });
  }
}

/** Whether the scheduler has to find a node for a pod. */
export function isSchedulable(pod: KubeObject): boolean {
  return (
    textAt(pod, "spec", "nodeName") === "" &&
    textAt(pod, "spec", "schedulerName") === schedulerName &&
    sizeAt(pod, "spec", "schedulingGates") === 0 &&
    !pod.metadata.deletionTimestamp
  );
}

/** How an Event names the pod that others have to leave for. Events of the victims must not tell about other namespaces. */
function preemptorName({ metadata: { namespace, name, uid } }: KubeObject, { since }: FeatureGates): string {
  if (since("1.29")) return `pod ${uid}`;
  return since("1.24") ? "a pod" : `${namespace}/${name}`;
}

/** When to try a pod again that no node takes: when something changes that the plugins wait for that rejected it. */
function occasionsOf(rejections: ReadonlyMap<string, PluginRejection>): readonly Occasion[] {
  const found = new Set<Occasion>(["node"]);
  for (const { occasions } of rejections.values()) for (const occasion of occasions) found.add(occasion);
  return [...found];
}
