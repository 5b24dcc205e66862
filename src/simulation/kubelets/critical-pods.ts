import { numberAt, textAt } from "../../apimachinery/fields.ts";
import { mirrorAnnotation } from "../../apimachinery/mirror-pod.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type PodInfo, podInfo } from "../scheduler/snapshot/pod-info.ts";

/** The lowest priority of critical pods (`SystemCriticalPriority`). */
const systemCritical = 2_000_000_000;

/** How much of a resource a node lacks for a pod. */
export interface Shortage {
  readonly resource: string;
  readonly amount: number;
}

/** Whether a pod comes from a file of its node (`IsStaticPod` in pkg/kubelet/types/pod_update.go). */
export function isStaticPod({ metadata: { annotations = {} } }: KubeObject): boolean {
  const source = annotations["kubernetes.io/config.source"];
  return source !== undefined && source !== "api";
}

/** Whether a kubelet makes room for a pod (`IsCriticalPod`). */
export function isCriticalPod(pod: KubeObject): boolean {
  const isMirror = pod.metadata.annotations?.[mirrorAnnotation] !== undefined;
  return isStaticPod(pod) || isMirror || numberAt(pod, "spec", "priority") >= systemCritical;
}

/** Whether one pod may take the place of another one (`Preemptable`). */
function mayPreempt(preemptor: KubeObject, other: KubeObject): boolean {
  if (isCriticalPod(preemptor) && !isCriticalPod(other)) return true;
  return numberAt(preemptor, "spec", "priority") > numberAt(other, "spec", "priority");
}

/**
 * The pods that leave a node for a critical pod, in their order, or why no pods would make enough room: as few as possible, and those of a lower
 * quality of service rather than others. Upstream: `getPodsToPreempt` (pkg/kubelet/preemption/preemption.go).
 */
export function podsToPreempt(
  pod: KubeObject,
  others: readonly KubeObject[],
  shortages: readonly Shortage[],
): readonly KubeObject[] | string {
  const candidates = others.filter((other) => mayPreempt(pod, other)).map(podInfo);
  const left = without(shortages, candidates);
  if (left.length > 0) {
    const listed = left.map(({ resource, amount }) => `(res: ${resource}, q: ${amount}), `).join("");
    return `no set of running pods found to reclaim resources: [${listed}]`;
  }
  const of = (wanted: string) => candidates.filter((one) => textAt(one.pod, "status", "qosClass") === wanted);
  const [bestEffort, burstable, guaranteed] = [of("BestEffort"), of("Burstable"), of("Guaranteed")];
  const third = nearest(guaranteed, without(shortages, [...bestEffort, ...burstable]));
  const second = nearest(burstable, without(shortages, [...bestEffort, ...third]));
  const first = nearest(bestEffort, without(shortages, [...second, ...third]));
  return [...first, ...second, ...third].map((info) => info.pod);
}

/** Pods that make up for all shortages: again and again the one that leaves the least (`getPodsToPreemptByDistance`). */
function nearest(pods: readonly PodInfo[], shortages: readonly Shortage[]): readonly PodInfo[] {
  const chosen: PodInfo[] = [];
  const rest = [...pods];
  let open = shortages;
  while (open.length > 0) {
    const best = indexOfNearest(rest, open);
    const found = rest[best];
    if (found === undefined) return chosen;
    open = without(open, [found]);
    chosen.push(found);
    // The last one takes the place of the chosen one, which decides about equal pods.
    const last = rest.pop();
    if (last !== undefined && best < rest.length) rest[best] = last;
  }
  return chosen;
}

function indexOfNearest(pods: readonly PodInfo[], shortages: readonly Shortage[]): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  pods.forEach((pod, i) => {
    const distance = distanceOf(pod, shortages);
    const isBetter = distance < least || (distance === least && isSmaller(pod, pods[best] ?? pod));
    if (!isBetter) return;
    best = i;
    least = distance;
  });
  return best;
}

/** The squares of the parts of the shortages that remain. */
function distanceOf(pod: PodInfo, shortages: readonly Shortage[]): number {
  return shortages.reduce((sum, { resource, amount }) => {
    const remaining = Math.max(0, amount - requestOf(pod, resource));
    return sum + (remaining / amount) ** 2;
  }, 0);
}

/** Whether a pod requests at most as much as another one, by memory and then by cores. */
function isSmaller(pod: PodInfo, other: PodInfo): boolean {
  const name = ["memory", "cpu"].find((resource) => requestOf(pod, resource) !== requestOf(other, resource));
  return name === undefined || requestOf(pod, name) < requestOf(other, name);
}

/** What is still lacking when pods have left. */
function without(shortages: readonly Shortage[], pods: readonly PodInfo[]): readonly Shortage[] {
  return shortages
    .map(({ resource, amount }) => ({
      resource,
      amount: pods.reduce((left, pod) => left - requestOf(pod, resource), amount),
    }))
    .filter(({ amount }) => amount > 0);
}

function requestOf({ requests }: PodInfo, resource: string): number {
  return resource === "pods" ? 1 : (requests.get(resource) ?? 0);
}
