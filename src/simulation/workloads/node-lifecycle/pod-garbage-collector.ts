import { listAt, numberAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Controller, ObjectChange } from "../../../controllers/contract/controller.ts";
import { observedGeneration } from "../../../kinds/core/pod/pod-conditions.ts";
import { nodes, pods } from "../contract/core-resources.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { type Disruption, disruptedStatus, disruptPod } from "../pods/pod-disruption.ts";
import { conditionOf, isFinished } from "../pods/pod-state.ts";
import { nodeOf, PodsOnNodes } from "../pods/pods-on-nodes.ts";
import { MissingNodes } from "./missing-nodes.ts";
import { TerminatedPods } from "./terminated-pods.ts";

/** `--terminated-pod-gc-threshold` of kube-controller-manager. */
const terminatedThreshold = 12_500;

/** How long a node may be missing before its pods are deleted. */
const quarantine = 40_000;

/** The key of all terminated pods. Those of pods have a namespace. */
const terminatedKey = "/terminated";

const orphaned: Disruption = { reason: "DeletionByPodGC", message: "PodGC: node no longer exists" };

/** Deletes the pods that no kubelet deletes. Upstream: pkg/controller/podgc. */
export function podGarbageCollector(environment: WorkloadEnvironment): Controller {
  const { memory, lister } = environment;
  const known: KnownPods = {
    onNodes: memory.part("workloads/pods-on-nodes", () => new PodsOnNodes()),
    terminated: memory.part("workloads/terminated-pods", () => new TerminatedPods()),
    missingNodes: memory.part("workloads/missing-nodes", () => new MissingNodes()),
  };
  return {
    name: "pod-garbage-collector-controller",
    kinds: ["Pod", "Node"],
    observe: (change) => {
      if (isOfKind(change.object, nodes)) return observeNode(change, known, environment.clock.now());
      return isOfKind(change.object, pods) ? observePod(change, known, environment) : [];
    },
    reconcile: async (key) => {
      if (key === terminatedKey) return deleteTerminated(environment, known.terminated);
      const { namespace, name } = namesOf(key);
      const pod = lister.get(pods, namespace, name);
      return pod === undefined ? undefined : collect(environment, pod, known.missingNodes);
    },
  };
}

interface KnownPods {
  readonly onNodes: PodsOnNodes;
  readonly terminated: TerminatedPods;
  readonly missingNodes: MissingNodes;
}

function observeNode({ type, object }: ObjectChange, known: KnownPods, now: number): readonly string[] {
  const { name = "" } = object.metadata;
  if (type === "put") {
    known.missingNodes.forget(name);
    return isOutOfService(object) ? known.onNodes.on(name) : [];
  }
  if (known.onNodes.isEmpty(name)) return [];
  known.missingNodes.add(name, now);
  return known.onNodes.on(name);
}

function observePod(
  change: ObjectChange,
  known: KnownPods,
  { lister, clock }: WorkloadEnvironment,
): readonly string[] {
  const { type, object: pod } = change;
  known.onNodes.take(change);
  known.terminated.take(change);
  const node = nodeOf(pod);
  if (type === "delete") {
    if (known.onNodes.isEmpty(node)) known.missingNodes.forget(node);
    return [];
  }
  const excess = known.terminated.above(terminatedThreshold).length > 0 ? [terminatedKey] : [];
  const found = node === "" ? undefined : lister.get(nodes, "", node);
  if (node !== "" && found === undefined) {
    const isKnown = known.missingNodes.since(node) !== undefined;
    // In a cluster without nodes, a test plays kubelets whose nodes it does not need.
    if (!isKnown && lister.list(nodes, "").length > 0) known.missingNodes.add(node, clock.now());
    return [keyOf(pod), ...excess];
  }
  const isOver = isTerminating(pod) && (found === undefined || isOutOfService(found));
  return isOver ? [keyOf(pod), ...excess] : excess;
}

/** Deletes a pod if it has no kubelet. Returns the milliseconds until that is certain. */
async function collect(
  environment: WorkloadEnvironment,
  pod: KubeObject,
  missingNodes: MissingNodes,
): Promise<number | undefined> {
  const { lister, clock } = environment;
  const node = nodeOf(pod);
  const found = node === "" ? undefined : lister.get(nodes, "", node);
  const isOver = node === "" || (found !== undefined && isOutOfService(found));
  if (isOver && isTerminating(pod)) return deleteNow(environment, pod);
  const since = found === undefined ? missingNodes.since(node) : undefined;
  if (since === undefined) return undefined;
  const left = since + quarantine - clock.now();
  return left > 0 ? left : deleteNow(environment, pod, orphaned);
}

/** Fails a pod that has not ended and deletes it without a grace period. Upstream: `markFailedAndDeletePod`. */
async function deleteNow(
  environment: WorkloadEnvironment,
  pod: KubeObject,
  disruption?: Disruption,
): Promise<undefined> {
  if (isBeingRemoved(pod)) return;
  const { gates } = environment;
  const isFailing = gates.since("1.26") && !isFinished(pod);
  const conditions = disruption && disruptedStatus(pod, disruption, environment);
  const status = isFailing
    ? { phase: "Failed", ...observedGeneration(pod, gates), ...conditions }
    : undefined;
  await disruptPod(environment, pod, status, 0);
}

async function deleteTerminated(environment: WorkloadEnvironment, known: TerminatedPods): Promise<undefined> {
  for (const key of known.above(terminatedThreshold)) {
    const { namespace, name } = namesOf(key);
    const pod = environment.lister.get(pods, namespace, name);
    if (pod !== undefined) await deleteNow(environment, pod);
  }
}

/** Whether only finalizers keep a pod. */
function isBeingRemoved(pod: KubeObject): boolean {
  return (
    isTerminating(pod) && isFinished(pod) && numberAt(pod, "metadata", "deletionGracePeriodSeconds") === 0
  );
}

/** Whether an administrator has said that a node which is not ready will not come back. */
function isOutOfService(node: KubeObject): boolean {
  const taints = listAt(node, "spec", "taints");
  const isTainted = taints.some(({ key }) => key === "node.kubernetes.io/out-of-service");
  return isTainted && conditionOf(node, "Ready")?.["status"] !== "True";
}
