import { numberAt, structAt } from "../../../apimachinery/fields.ts";
import { parseGroupVersion } from "../../../apimachinery/group-version.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { replicationControllers } from "../contract/core-resources.ts";
import { scaledValue } from "../contract/percent.ts";
import {
  deployments,
  replicaSets,
  statefulSets,
  type WorkloadResource,
} from "../contract/workload-resources.ts";
import { controllerOf } from "../ownership/controller-reference.ts";

const scalable: readonly WorkloadResource[] = [
  replicationControllers,
  deployments,
  replicaSets,
  statefulSets,
];

/** How many pods a budget counts on. */
export interface ExpectedPods {
  readonly expected: number;
  readonly desiredHealthy: number;
  /** Whether pods without a controller are left out. */
  readonly lacksControllers: boolean;
}

/**
 * Upstream: `getExpectedPodCount` (pkg/controller/disruption/disruption.go).
 * @throws {Error} for pods whose controller cannot be scaled
 */
export function expectedPods(budget: KubeObject, pods: readonly KubeObject[], lister: Lister): ExpectedPods {
  const { maxUnavailable, minAvailable } = structAt(budget, "spec");
  if (maxUnavailable === undefined && typeof minAvailable === "number")
    return { expected: pods.length, desiredHealthy: minAvailable, lacksControllers: false };
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const owner = scaleOf(pod, lister);
    if (owner !== undefined) scales.set(owner.uid, owner.replicas);
  }
  const expected = [...scales.values()].reduce((sum, one) => sum + one, 0);
  const desiredHealthy =
    maxUnavailable === undefined
      ? scaledValue(minAvailable, expected, Math.ceil)
      : Math.max(0, expected - scaledValue(maxUnavailable, expected, Math.ceil));
  return { expected, desiredHealthy, lacksControllers: pods.some((pod) => controllerOf(pod) === undefined) };
}

interface Scale {
  readonly uid: string;
  readonly replicas: number;
}

/** The scale of the Deployment, or of the controller of the pod. */
function scaleOf(pod: KubeObject, lister: Lister): Scale | undefined {
  const reference = controllerOf(pod);
  if (reference === undefined) return undefined;
  const { group = "" } = parseGroupVersion(reference.apiVersion) ?? {};
  const resource = scalable.find((one) => one.kind === reference.kind && one.group === group);
  if (resource === undefined) throw new Error(`found no controllers for pod "${pod.metadata.name}"`);
  const { namespace = "" } = pod.metadata;
  const owner = lister.get(resource, namespace, reference.name);
  if (owner === undefined || owner.metadata.uid !== reference.uid)
    throw new Error(`found no controllers for pod "${pod.metadata.name}"`);
  const outer = controllerOf(owner);
  const deployment =
    outer?.kind === "Deployment" ? lister.get(deployments, namespace, outer.name) : undefined;
  const scaled = deployment ?? owner;
  return { uid: scaled.metadata.uid ?? "", replicas: numberAt(scaled, "spec", "replicas") };
}
