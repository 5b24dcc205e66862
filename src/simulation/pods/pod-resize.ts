import { listAt, objectAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { jsonEqual } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../apimachinery/quantity.ts";
import { isFinishedPod } from "../../kinds/core/pod/finished-pod.ts";
import { amountsOfPod } from "../../kinds/quantities/resource-amounts.ts";
import type { ContainerRuntime, PendingResize, PodContainer } from "./pod-runtime.ts";

const pods = { group: "", resource: "pods" };
const names = ["cpu", "memory"] as const;
type Name = (typeof names)[number];

/** Whether a running container is to have other resources than it has. */
export function wantsResize({ spec }: PodContainer, { running, resources, stop }: ContainerRuntime): boolean {
  // One that stops begins with the new resources.
  if (running === undefined || resources === undefined || stop !== undefined) return false;
  return !jsonEqual(resources, structAt(spec, "resources"));
}

/** Whether a container does not have the resources yet, or stops for them. */
export function isResizing(container: PodContainer, state: ContainerRuntime): boolean {
  return wantsResize(container, state) || (state.running !== undefined && state.stop !== undefined);
}

/**
 * Whether the policy of a resource that changes wants the container to restart. A change of requested memory never does.
 * Upstream: `computePodResizeAction` (pkg/kubelet/kuberuntime/kuberuntime_manager.go).
 */
export function needsRestart({ spec }: PodContainer, { resources = {} }: ContainerRuntime): boolean {
  const differs = (list: string, name: Name) =>
    objectAt(resources, list)?.[name] !== objectAt(spec, "resources", list)?.[name];
  return listAt(spec, "resizePolicy").some(({ resourceName, restartPolicy }) => {
    if (restartPolicy !== "RestartContainer") return false;
    if (resourceName === "memory") return differs("limits", "memory");
    return resourceName === "cpu" && (differs("limits", "cpu") || differs("requests", "cpu"));
  });
}

/** What the kubelet says when it stops a container for its resize. */
export function resizeMessage({ name }: PodContainer): string {
  return `Container ${name} resize requires restart`;
}

/** Why a node cannot give a pod what it requests now; undefined if it can. Upstream: `canResizePod` (pkg/kubelet/allocation/allocation_manager.go). */
export function resizeProblem(pod: KubeObject, node: KubeObject, lister: Lister): PendingResize | undefined {
  const wanted = (name: Name) => requestOf(pod, name);
  const lacking = names.filter((name) => wanted(name) > capacityOf(node, name)).at(-1);
  if (lacking !== undefined) {
    const amounts = `requested: ${wanted(lacking)}, capacity: ${capacityOf(node, lacking)}`;
    const message = `Node didn't have enough capacity: ${lacking}, ${amounts}`;
    return { reason: "Infeasible", message };
  }
  const others = lister
    .list(pods, "")
    .filter(
      (other) =>
        textAt(other, "spec", "nodeName") === node.metadata.name &&
        other.metadata.uid !== pod.metadata.uid &&
        !isFinishedPod(other),
    );
  const used = (name: Name) => others.reduce((sum, other) => sum + requestOf(other, name), 0n);
  const taken = names.find((name) => wanted(name) + used(name) > capacityOf(node, name));
  if (taken === undefined) return undefined;
  const amounts = `requested: ${wanted(taken)}, used: ${used(taken)}, capacity: ${capacityOf(node, taken)}`;
  return { reason: "Deferred", message: `Node didn't have enough resource: ${taken}, ${amounts}` };
}

/** Thousandths of cores, or bytes. */
function requestOf(pod: KubeObject, name: Name): bigint {
  const amount = amountsOfPod(structAt(pod, "spec"), "requests").get(name);
  return amount === undefined ? 0n : amount.scaledValue(scaleOf(name));
}

function capacityOf(node: KubeObject, name: Name): bigint {
  const amount = objectAt(node, "status", "allocatable")?.[name];
  return amount === undefined ? 0n : parseQuantity(String(amount)).scaledValue(scaleOf(name));
}

function scaleOf(name: Name): number {
  return name === "cpu" ? -3 : 0;
}
