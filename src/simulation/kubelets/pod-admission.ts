import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { requiredNodes } from "../placement/node-selector.ts";
import { isTolerated } from "../placement/tolerations.ts";
import { type NodeInfo, nodeInfo, noUsage, usageWith } from "../scheduler/snapshot/node-info.ts";
import { isPortConflict, type PodInfo, podInfo } from "../scheduler/snapshot/pod-info.ts";

/** Why a kubelet rejects a pod. */
export interface PodRejection {
  readonly reason: string;
  readonly message: string;
}

/**
 * Why a node does not take a new pod, with what is missing first; undefined if it does. `others` returns the pods that run there; only pods that
 * kube-scheduler has not placed need them. Critical pods do not make others leave. Upstream: `predicateAdmitHandler` (pkg/kubelet/lifecycle/predicate.go)
 * and `AdmissionCheck` (pkg/scheduler/eventhandlers.go).
 */
export function podRejection(
  pod: KubeObject,
  node: KubeObject,
  others: () => readonly KubeObject[],
): PodRejection | undefined {
  if ((textAt(pod, "spec", "os", "name") || "linux") !== "linux") {
    return {
      reason: "PodOSNotSupported",
      message: "Failed to admit pod as the OS field doesn't match node OS",
    };
  }
  if (isScheduled(pod)) return undefined;
  const info = podInfo(pod);
  const usage = others().map(podInfo).reduce(usageWith, noUsage);
  const target = nodeInfo(node, usage);
  return missingResource(info, target) ?? failedPredicate(info, target);
}

/** Whether kube-scheduler has found the node of a pod: it has checked the same. */
function isScheduled(pod: KubeObject): boolean {
  const isBound = listAt(pod, "status", "conditions").some(({ type }) => type === "PodScheduled");
  return isBound && textAt(pod, "spec", "schedulerName") === "default-scheduler";
}

function missingResource({ requests }: PodInfo, { allocatable, usage }: NodeInfo): PodRejection | undefined {
  const used = new Map([...usage.requested, ["pods", usage.pods]]);
  const wanted = new Map([["pods", 1], ...inOrder(requests)]);
  for (const [name, requested] of wanted) {
    if (requested === 0 || (isExtended(name) && !allocatable.has(name))) continue;
    const [inUse, capacity] = [used.get(name) ?? 0, allocatable.get(name) ?? 0];
    if (requested <= capacity - inUse) continue;
    const amounts = `requested: ${requested}, used: ${inUse}, capacity: ${capacity}`;
    return { reason: `OutOf${name}`, message: `Node didn't have enough resource: ${name}, ${amounts}` };
  }
  return undefined;
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

function failedPredicate({ spec, ports }: PodInfo, node: NodeInfo): PodRejection | undefined {
  const tolerations = listAt(spec, "tolerations");
  if (requiredNodes(spec)?.(node) === false)
    return predicateFailure("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
  if (node.usage.ports.some((used) => ports.some((port) => isPortConflict(used, port))))
    return predicateFailure("NodePorts", "node(s) didn't have free ports for the requested pod ports");
  if (node.taints.some((taint) => taint["effect"] === "NoExecute" && !isTolerated(taint, tolerations)))
    return predicateFailure("TaintToleration", "node(s) had taints that the pod didn't tolerate");
  return undefined;
}

function predicateFailure(reason: string, description: string): PodRejection {
  return { reason, message: `Predicate ${reason} failed: ${description}` };
}
