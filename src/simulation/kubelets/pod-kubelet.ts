import { isConflict, isNotFound } from "../../apimachinery/errors/error-predicates.ts";
import { booleanAt, listAt, numberAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { type JsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { isSimulatedNode } from "../../apimachinery/simulated-node.ts";
import { formatTime } from "../../apimachinery/time.ts";
import { isFinishedPod } from "../../kinds/core/pod/finished-pod.ts";
import { observedGeneration } from "../../kinds/core/pod/pod-conditions.ts";
import type { SimulationEnvironment } from "../contract/simulation-environment.ts";
import type { KubeletClient, KubeletClients } from "../nodes/kubelet-clients.ts";
import type { LostNodes } from "../nodes/lost-nodes.ts";
import type { NodeLosses } from "../nodes/node-losses.ts";
import type { NodeNetworks } from "../nodes/node-networks.ts";
import { fieldPathOf, stoppingEvent } from "../pods/container-messages.ts";
import { ownContainer } from "../pods/missing-references.ts";
import { graceOf } from "../pods/pod-failures.ts";
import { containersOf, type PodRuntime, runtimeFromStatus, runtimeOf } from "../pods/pod-runtime.ts";
import { podStatus } from "../pods/pod-status.ts";
import { PodSync } from "../pods/pod-sync.ts";
import type { SyncOutcome, SyncResult } from "../pods/sync-outcome.ts";
import type { KubeletMemory, Preemption } from "./kubelet-memory.ts";
import { admission, type PodRejection } from "./pod-admission.ts";

const pods = { group: "", resource: "pods" };
const nodes = { group: "", resource: "nodes" };

/** More changes of a status at one instant are a mistake of this code. */
const mostPasses = 10;

/** Why a kubelet ends a pod for a critical one. */
const preempting = { reason: "Preempting", message: "Preempted in order to admit critical pod" };
const preemptedFor = "Pod was preempted by Kubelet to accommodate a critical pod.";

/** What kubelets work with. */
export interface KubeletParts {
  readonly environment: SimulationEnvironment;
  readonly clients: KubeletClients;
  readonly networks: NodeNetworks;
  readonly memory: KubeletMemory;
  readonly lost: LostNodes;
  readonly losses: NodeLosses;
}

/** Lets a pod go through its phases, as the kubelet of its node does, and writes what has become of it. */
export class PodKubelet {
  readonly #parts: KubeletParts;

  constructor(parts: KubeletParts) {
    this.#parts = parts;
  }

  /** Returns the milliseconds until something happens to the pod. */
  async sync(key: string): Promise<number | undefined> {
    const { environment, memory, lost } = this.#parts;
    memory.staged.delete(key);
    await this.#killDeleted(key);
    const [namespace, name] = splitKey(key);
    let pod = environment.lister.get(pods, namespace, name);
    const nodeName = pod === undefined ? "" : textAt(pod, "spec", "nodeName");
    if (pod === undefined || nodeName === "") return this.#forget(key);
    const node = environment.lister.get(nodes, "", nodeName);
    if (node === undefined || !isSimulatedNode(node)) {
      memory.await(key, "Node", "", nodeName);
      return undefined;
    }
    if (lost.has(nodeName)) {
      memory.await(key, "Node", "", nodeName);
      return this.#parts.losses.attend(nodeName);
    }
    if (isFinishedPod(pod)) return this.#finish(key, pod, nodeName);
    // The kubelet observes its own last write.
    if (memory.isSettled(key, pod.metadata.resourceVersion ?? "")) return undefined;
    for (let pass = 0; pass < mostPasses; pass++) {
      const step = await this.#step(key, pod, node);
      if (step === undefined || !step.isBrief) return step?.wait;
      pod = environment.lister.get(pods, namespace, name);
      if (pod === undefined || isFinishedPod(pod)) return this.#forget(key);
    }
    return undefined;
  }

  /** One status. The first one of a pod says that its containers are being created. */
  async #step(key: string, pod: KubeObject, node: KubeObject): Promise<Step | undefined> {
    const { environment, memory, lost } = this.#parts;
    const now = environment.clock.now();
    const nodeName = node.metadata.name ?? "";
    const client = this.#parts.clients.of(nodeName);
    const known = this.#runtimeOf(key, pod, now);
    if (known === undefined) {
      const step = pod.metadata.deletionTimestamp ? "admitted" : await this.#admit(key, pod, node);
      if (step !== "admitted") return step;
      const uid = pod.metadata.uid ?? "";
      const first: PodRuntime = { key, uid, node: nodeName, startedAt: now, containers: {} };
      memory.setRuntime(first);
      await this.#write(pod, first, node, client);
      return { isBrief: true, wait: undefined };
    }
    memory.beginToSettle(key);
    const { runtime, outcome, script } = this.#run(key, pod, known, node, now);
    memory.setRuntime(runtime);
    this.#await(key, pod, outcome);
    for (const event of outcome.events) await client.recorder.record(pod, event);
    const written = outcome.isReported ? await this.#write(pod, runtime, node, client) : pod;
    const loss = script?.life.nodeLost;
    const lossDue = loss === undefined ? undefined : runtime.startedAt + loss.after;
    if (script !== undefined && lossDue !== undefined && lossDue <= now) {
      lost.lose(nodeName, `script/${script.id}`, now);
      return { isBrief: false, wait: await this.#parts.losses.attend(nodeName) };
    }
    if (hasTerminated(pod, runtime)) return this.#delete(pod, client);
    if (isSettled(pod, outcome) && loss === undefined) {
      memory.settle(key, written?.metadata.resourceVersion ?? "");
      return undefined;
    }
    const due = Math.min(outcome.due ?? Number.POSITIVE_INFINITY, lossDue ?? Number.POSITIVE_INFINITY);
    return {
      isBrief: outcome.isBrief,
      wait: due === Number.POSITIVE_INFINITY ? undefined : Math.max(0, due - environment.clock.now()),
    };
  }

  /** Decides about a new pod. A pod that waits for others to leave has a step. */
  async #admit(key: string, pod: KubeObject, node: KubeObject): Promise<Step | "admitted" | undefined> {
    const { environment, memory, clients } = this.#parts;
    const nodeName = node.metadata.name ?? "";
    const preemption = memory.preemptionOn(nodeName);
    if (preemption !== undefined && this.#isGoingOn(preemption)) {
      if (preemption.key === key) return this.#preempt(nodeName);
      // The kubelet admits one pod after the other.
      memory.await(key, "Pod", ...splitKey(preemption.key));
      return undefined;
    }
    if (preemption !== undefined) memory.endPreemption(nodeName);
    const others = () => this.#podsOn(nodeName);
    const admitted = admission(pod, { node, others, gates: environment.gates });
    if (admitted.verdict === "admitted") return "admitted";
    if (admitted.verdict === "rejected") return this.#reject(pod, admitted, clients.of(nodeName));
    const victims = admitted.victims.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    memory.setPreemption(nodeName, { key, uid: pod.metadata.uid ?? "", victims, asked: 0 });
    return this.#preempt(nodeName);
  }

  /** Whether a pod still waits for others to leave. */
  #isGoingOn({ key, uid }: Preemption): boolean {
    const pod = this.#parts.environment.lister.get(pods, ...splitKey(key));
    return pod?.metadata.uid === uid && !isFinishedPod(pod) && this.#parts.memory.runtimeOf(key)?.uid !== uid;
  }

  /** Lets pods leave for a critical one. Upstream: `evictPodsToFreeRequests` (pkg/kubelet/preemption/preemption.go). */
  async #preempt(nodeName: string): Promise<Step | "admitted"> {
    const { environment, memory, clients } = this.#parts;
    for (let at = memory.preemptionOn(nodeName); at !== undefined; at = memory.preemptionOn(nodeName)) {
      const leaving = at.asked === 0 ? undefined : at.victims[at.asked - 1];
      if (leaving !== undefined && memory.runtimeOf(leaving) !== undefined) {
        const wait = await this.sync(leaving);
        const left = environment.lister.get(pods, ...splitKey(leaving));
        if (left !== undefined && !isFinishedPod(left)) {
          memory.await(at.key, "Pod", ...splitKey(leaving));
          // If the critical pod goes first, this one goes on to leave by itself.
          memory.await(leaving, "Pod", ...splitKey(at.key));
          return { isBrief: false, wait };
        }
      }
      const next = at.victims[at.asked];
      if (next === undefined) return "admitted";
      await this.#askToLeave(next, clients.of(nodeName));
      memory.setPreemption(nodeName, { ...at, asked: at.asked + 1 });
    }
    return "admitted";
  }

  async #askToLeave(key: string, { recorder }: KubeletClient): Promise<void> {
    const { environment, memory } = this.#parts;
    const pod = environment.lister.get(pods, ...splitKey(key));
    const runtime = memory.runtimeOf(key);
    if (pod === undefined || runtime === undefined) return;
    await recorder.record(pod, { type: "Warning", ...preempting });
    const failure = { ...preempting, disruption: preemptedFor, grace: graceOf(pod) };
    memory.setRuntime({ ...runtime, failure });
    memory.unsettle(key);
  }

  /** The pods that the kubelet of a node has admitted and that have not ended. */
  #podsOn(nodeName: string): readonly KubeObject[] {
    const { environment, memory } = this.#parts;
    return memory.podsOn(nodeName).flatMap((key) => {
      const pod = environment.lister.get(pods, ...splitKey(key));
      return pod === undefined || isFinishedPod(pod) ? [] : [pod];
    });
  }

  /** Upstream: `rejectPod` (pkg/kubelet/kubelet.go) and `mergePodStatus` (pkg/kubelet/status/status_manager.go). */
  async #reject(
    pod: KubeObject,
    { reason, message }: PodRejection,
    { client, recorder }: KubeletClient,
  ): Promise<undefined> {
    const { gates, clock } = this.#parts.environment;
    const { name = "", namespace = "", uid = "" } = pod.metadata;
    await recorder.record(pod, { type: "Warning", reason, message });
    const conditions = listAt(pod, "status", "conditions");
    const status = {
      ...observedGeneration(pod, gates),
      // The condition PodScheduled belongs to kubelets, and this one reports none.
      ...(conditions.length > 0 && {
        conditions: conditions.filter(({ type }) => type !== "PodScheduled"),
      }),
      phase: "Failed",
      reason,
      message: `${gates.since("1.28") ? "Pod was rejected:" : "Pod"} ${message}`,
      startTime: formatTime(clock.now()),
    };
    const patch = { metadata: { uid }, status };
    await client.patch("v1", "Pod", name, patch, { namespace, subresource: "status" }).catch(ignoreGone);
  }

  #run(key: string, pod: KubeObject, runtime: PodRuntime, node: KubeObject, now: number): SyncResult {
    const { environment, memory, networks } = this.#parts;
    const { lister, gates, identifiers, podScripts: scripts } = environment;
    const nodeName = node.metadata.name ?? "";
    return new PodSync(pod, runtime, {
      lister,
      node,
      gates,
      scripts,
      now,
      newId: () => `containerd://${identifiers.uid()}${identifiers.uid()}`.replaceAll("-", ""),
      allocate: () =>
        booleanAt(pod, "spec", "hostNetwork")
          ? networks.of(nodeName).address
          : networks.allocate(nodeName, key),
      images: memory.imagesOf(nodeName),
    }).run();
  }

  /** What is known of a pod; what its status says if another kubelet has run it; undefined for a new one. */
  #runtimeOf(key: string, pod: KubeObject, now: number): PodRuntime | undefined {
    const known = this.#parts.memory.runtimeOf(key);
    if (known?.uid === pod.metadata.uid) return known;
    if (textAt(pod, "status", "startTime") === "") return undefined;
    const runtime = runtimeFromStatus(pod, now);
    if (runtime.address !== undefined) this.#parts.networks.occupy(runtime.address, key);
    return runtime;
  }

  #await(key: string, { metadata: { namespace = "" } }: KubeObject, { missing }: SyncOutcome): void {
    const { memory } = this.#parts;
    if (missing === undefined || missing.kind === ownContainer) memory.stopAwaiting(key);
    else memory.await(key, missing.kind, namespace, missing.name);
  }

  /** The pod with its status; undefined if it is gone, or if others have changed it meanwhile: then the kubelet looks at it again. */
  async #write(
    pod: KubeObject,
    runtime: PodRuntime,
    node: KubeObject,
    { client }: KubeletClient,
  ): Promise<KubeObject | undefined> {
    const { gates, podScripts: scripts, clock } = this.#parts.environment;
    const { name = "", namespace = "", uid = "", resourceVersion = "" } = pod.metadata;
    const hostAddress = this.#parts.networks.of(node.metadata.name ?? "").address;
    const status = podStatus(pod, runtime, { gates, scripts, now: clock.now(), hostAddress });
    const changes = changedFields(status, structAt(pod, "status"));
    if (changes === undefined) return pod;
    const patch = { metadata: { uid, resourceVersion }, status: changes };
    return client.patch("v1", "Pod", name, patch, { namespace, subresource: "status" }).catch(ignoreGone);
  }

  /** Deletes a pod whose containers have all terminated. */
  async #delete(pod: KubeObject, { client }: KubeletClient): Promise<undefined> {
    const { name = "", namespace = "", uid = "" } = pod.metadata;
    const isDeleted = pod.metadata.deletionGracePeriodSeconds === 0;
    if (isDeleted) return undefined;
    const preconditions = { uid };
    await client
      .delete("v1", "Pod", name, { namespace, gracePeriodSeconds: 0, preconditions })
      .catch(ignoreGone);
    return undefined;
  }

  /** A pod that is over has no address any more. If it is being deleted, nothing keeps it. */
  async #finish(key: string, pod: KubeObject, nodeName: string): Promise<undefined> {
    this.#forget(key);
    const isDeleting =
      Boolean(pod.metadata.deletionTimestamp) && numberAt(pod, "metadata", "deletionGracePeriodSeconds") > 0;
    return isDeleting ? this.#delete(pod, this.#parts.clients.of(nodeName)) : undefined;
  }

  /** Says that the containers end of a pod that was deleted without a grace period. Upstream: `deletePod` (pkg/kubelet/kubelet.go). */
  async #killDeleted(key: string): Promise<void> {
    const { environment, memory, clients, lost } = this.#parts;
    const pod = memory.takeDeleted(key);
    const runtime = memory.runtimeOf(key);
    if (pod === undefined || runtime === undefined || runtime.uid !== pod.metadata.uid) return;
    if (lost.has(runtime.node) || (runtime.terminatingSince ?? runtime.stoppingSince) !== undefined) return;
    if (environment.lister.get(nodes, "", runtime.node) === undefined) return;
    const { recorder } = clients.of(runtime.node);
    for (const container of containersOf(pod)) {
      if (runtimeOf(runtime.containers, container.name).running === undefined) continue;
      await recorder.record(pod, { ...stoppingEvent(container), fieldPath: fieldPathOf(container) });
    }
  }

  #forget(key: string): undefined {
    const { memory, networks } = this.#parts;
    memory.stopAwaiting(key);
    memory.unsettle(key);
    const runtime = memory.runtimeOf(key);
    if (runtime?.address !== undefined) networks.release(runtime.address);
    memory.deleteRuntime(key);
    return undefined;
  }
}

/** What one pass has led to. */
interface Step {
  readonly isBrief: boolean;
  /** The milliseconds until something happens. */
  readonly wait: number | undefined;
}

function splitKey(key: string): [namespace: string, name: string] {
  const [namespace = "", name = ""] = key.split("/");
  return [namespace, name];
}

function hasTerminated(pod: KubeObject, { containers }: PodRuntime): boolean {
  if (!pod.metadata.deletionTimestamp) return false;
  return Object.values(containers).every(({ running }) => running === undefined);
}

/** Whether nothing happens to a pod until it changes. */
function isSettled(pod: KubeObject, { due, missing, isBrief }: SyncOutcome): boolean {
  return due === undefined && missing === undefined && !isBrief && !pod.metadata.deletionTimestamp;
}

/** The fields of a status that differ from what was written; undefined if there are none. */
function changedFields(status: JsonObject, written: JsonObject): JsonObject | undefined {
  let changes: { [field: string]: JsonValue } | undefined;
  for (const field in status) {
    const value = status[field];
    if (value === undefined || jsonEqual(value, written[field])) continue;
    changes ??= {};
    changes[field] = value;
  }
  return changes;
}

/** Another request has deleted, replaced or changed the pod, which the kubelet observes next. */
function ignoreGone(error: unknown): undefined {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
