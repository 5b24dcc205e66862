import { booleanAt, listAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { requiredNodes } from "../placement/node-selector.ts";
import { isTolerated } from "../placement/tolerations.ts";
import { type NodeInfo, nodeInfo, noUsage, usageWith } from "../scheduler/snapshot/node-info.ts";
import { isPortConflict, type PodInfo, podInfo } from "../scheduler/snapshot/pod-info.ts";
import { isCriticalPod, isStaticPod, podsToPreempt } from "./critical-pods.ts";
import { sysctlProblem } from "./sysctl-admission.ts";

/** Why a kubelet rejects a pod. */
export interface PodRejection {
  readonly reason: string;
  readonly message: string;
}

/** What a kubelet does with a new pod. */
export type PodAdmission =
  | { readonly verdict: "admitted" }
  | ({ readonly verdict: "rejected" } & PodRejection)
  /** It is admitted when these pods have left. */
  | { readonly verdict: "preempts"; readonly victims: readonly KubeObject[] };

/** What an admission depends on besides the pod. */
export interface AdmissionContext {
  readonly node: KubeObject;
  /** The pods that run on the node. Only pods that kube-scheduler has not placed need them. */
  readonly others: () => readonly KubeObject[];
  readonly gates: FeatureGates;
}

/**
 * Whether a node takes a new pod, with what is missing first. Upstream: the admit handlers of the kubelet, of which these have an effect here:
 * pkg/kubelet/sysctl/allowlist.go, `predicateAdmitHandler` (pkg/kubelet/lifecycle/predicate.go) and `CriticalPodAdmissionHandler` (pkg/kubelet/preemption).
 */
export function admission(pod: KubeObject, { node, others, gates }: AdmissionContext): PodAdmission {
  const sysctls = sysctlProblem(pod, gates);
  if (sysctls !== undefined) return { verdict: "rejected", reason: "SysctlForbidden", message: sysctls };
  const unsupported = unsupportedBy(pod, node, gates);
  if (unsupported !== undefined) return { verdict: "rejected", ...unsupported };
  if (isScheduled(pod)) return { verdict: "admitted" };
  const info = podInfo(pod);
  const running = others();
  const target = nodeInfo(node, running.map(podInfo).reduce(usageWith, noUsage));
  const missing = missingResources(info, target);
  const failed = failedPredicate(info, target);
  const isCritical = isCriticalPod(pod);
  const [lacking] = missing;
  if (lacking !== undefined && !isCritical) return { verdict: "rejected", ...outOf(lacking) };
  if (failed !== undefined) return { verdict: "rejected", ...failed };
  if (lacking === undefined) return { verdict: "admitted" };
  const shortages = missing.map(({ name, requested, used, capacity }) => ({
    resource: name,
    amount: requested - (capacity - used),
  }));
  const victims = podsToPreempt(pod, running, shortages);
  if (typeof victims !== "string") return { verdict: "preempts", victims };
  const problem = `preemption: error finding a set of pods to preempt: ${victims}`;
  const message = `Unexpected error while attempting to recover from admission failure: ${problem}`;
  return { verdict: "rejected", reason: "UnexpectedAdmissionError", message };
}

const operatingSystem = "linux";

/** What a pod asks for that no node of this kind has, or not this one. */
function unsupportedBy(pod: KubeObject, node: KubeObject, { since }: FeatureGates): PodRejection | undefined {
  const label = pod.metadata.labels?.["kubernetes.io/os"] ?? operatingSystem;
  if (since("1.23") && label !== operatingSystem) {
    return {
      reason: "PodOSSelectorNodeLabelDoesNotMatch",
      message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    };
  }
  if ((textAt(pod, "spec", "os", "name") || operatingSystem) !== operatingSystem) {
    return {
      reason: "PodOSNotSupported",
      message: "Failed to admit pod as the OS field doesn't match node OS",
    };
  }
  const isStrict = textAt(pod, "spec", "securityContext", "supplementalGroupsPolicy") === "Strict";
  if (!since("1.33") || !isStrict || booleanAt(node, "status", "features", "supplementalGroupsPolicy"))
    return undefined;
  const message = "SupplementalGroupsPolicy=Strict is not supported in this node";
  return { reason: "SupplementalGroupsPolicyNotSupported", message };
}

/** Whether kube-scheduler has found the node of a pod: it has checked the same. */
function isScheduled(pod: KubeObject): boolean {
  const isBound = listAt(pod, "status", "conditions").some(({ type }) => type === "PodScheduled");
  return isBound && textAt(pod, "spec", "schedulerName") === "default-scheduler";
}

/** A resource of which a node has too little for a pod. */
interface MissingResource {
  readonly name: string;
  readonly requested: number;
  readonly used: number;
  readonly capacity: number;
}

function missingResources(
  { requests }: PodInfo,
  { allocatable, usage }: NodeInfo,
): readonly MissingResource[] {
  const inUse = new Map([...usage.requested, ["pods", usage.pods]]);
  const wanted = new Map([["pods", 1], ...inOrder(requests)]);
  return [...wanted]
    .filter(([name, requested]) => requested > 0 && (!isExtended(name) || allocatable.has(name)))
    .map(([name, requested]) => ({
      name,
      requested,
      used: inUse.get(name) ?? 0,
      capacity: allocatable.get(name) ?? 0,
    }))
    .filter(({ requested, used, capacity }) => requested > capacity - used);
}

function outOf({ name, requested, used, capacity }: MissingResource): PodRejection {
  const amounts = `requested: ${requested}, used: ${used}, capacity: ${capacity}`;
  return { reason: `OutOf${name}`, message: `Node didn't have enough resource: ${name}, ${amounts}` };
}

/** The resources that all nodes have come first. */
function inOrder(requests: PodInfo["requests"]): readonly (readonly [name: string, amount: number])[] {
  const first = ["cpu", "memory", "ephemeral-storage"];
  const others = [...requests].filter(([name]) => !first.includes(name));
  return [...first.map((name) => [name, requests.get(name) ?? 0] as const), ...others];
}

/** Kubelets do not know the resources of a whole cluster. */
function isExtended(name: string): boolean {
  return name.includes("/") && !name.includes("kubernetes.io/");
}

function failedPredicate({ pod, spec, ports }: PodInfo, node: NodeInfo): PodRejection | undefined {
  const tolerations = listAt(spec, "tolerations");
  if (requiredNodes(spec)?.(node) === false)
    return predicateFailure("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
  if (node.usage.ports.some((used) => ports.some((port) => isPortConflict(used, port))))
    return predicateFailure("NodePorts", "node(s) didn't have free ports for the requested pod ports");
  const isRepelled = node.taints.some(
    (taint) => taint["effect"] === "NoExecute" && !isTolerated(taint, tolerations),
  );
  if (isRepelled && !isStaticPod(pod))
    return predicateFailure("TaintToleration", "node(s) had taints that the pod didn't tolerate");
  return undefined;
}

function predicateFailure(reason: string, description: string): PodRejection {
  return { reason, message: `Predicate ${reason} failed: ${description}` };
}
