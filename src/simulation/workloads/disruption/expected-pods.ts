import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { listAt, numberAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import {
  formatGroupResource,
  formatGroupVersion,
  parseGroupVersion,
} from "../../../apimachinery/group-version.ts";
import type { Lister } from "../../../apimachinery/lister.ts";
import type { KubeObject, OwnerReference } from "../../../apimachinery/object-meta.ts";
import type { ApiResource } from "../../../catalog/api-resource.ts";
import type { RawApi } from "../../contract/raw-api.ts";
import { replicationControllers } from "../contract/core-resources.ts";
import { scaledValue } from "../contract/percent.ts";
import { scalePath } from "../contract/scale-path.ts";
import {
  deployments,
  replicaSets,
  statefulSets,
  type WorkloadResource,
} from "../contract/workload-resources.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
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

/** Where owners and their scales are read. */
type Owners = Pick<WorkloadEnvironment, "lister" | "api">;

/**
 * Upstream: `getExpectedPodCount` (pkg/controller/disruption/disruption.go).
 * @throws {Error} for pods whose controller cannot be scaled
 */
export async function expectedPods(
  budget: KubeObject,
  pods: readonly KubeObject[],
  owners: Owners,
): Promise<ExpectedPods> {
  const { maxUnavailable, minAvailable } = structAt(budget, "spec");
  if (maxUnavailable === undefined && typeof minAvailable === "number")
    return { expected: pods.length, desiredHealthy: minAvailable, lacksControllers: false };
  const scales = new Map<string, number>();
  for (const pod of pods) {
    const reference = controllerOf(pod);
    if (reference === undefined || scales.has(reference.uid)) continue;
    const { namespace = "", name } = pod.metadata;
    const owner =
      knownScale(reference, namespace, owners.lister) ??
      (await servedScale(reference, namespace, owners.api));
    if (owner === undefined) throw new Error(`found no controllers for pod ${goQuote(name ?? "")}`);
    scales.set(owner.uid, owner.replicas);
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

/** The scale of a controller of a kind that Kubernetes has, or of its Deployment; undefined for other kinds, and for one that is gone. */
function knownScale(
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
  lister: Lister,
): Scale | undefined {
  const { group = "" } = parseGroupVersion(apiVersion) ?? {};
  const resource = scalable.find((one) => one.kind === kind && one.group === group);
  const owner = resource && lister.get(resource, namespace, name);
  if (owner?.metadata.uid !== uid) return undefined;
  const outer = controllerOf(owner);
  const deployment =
    outer?.kind === "Deployment" ? lister.get(deployments, namespace, outer.name) : undefined;
  const scaled = deployment ?? owner;
  return { uid: scaled.metadata.uid ?? "", replicas: numberAt(scaled, "spec", "replicas") };
}

/** The scale that the server has of any other controller. Upstream: `getScaleController`. @throws {Error} for a kind without scales */
async function servedScale(
  { apiVersion, kind, name, uid }: OwnerReference,
  namespace: string,
  api: RawApi,
): Promise<Scale | undefined> {
  const { group = "" } = parseGroupVersion(apiVersion) ?? {};
  const resource = api.resourcesOf({ group, kind }).find((one) => formatGroupVersion(one) === apiVersion);
  if (resource === undefined)
    throw new Error(`no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`);
  try {
    const scale = await api.get(scalePath(resource, namespace, name), { ...resource, name });
    if (textAt(scale, "metadata", "uid") !== uid) return undefined;
    return { uid, replicas: numberAt(scale, "spec", "replicas") };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (await hasScale(resource, api)) return undefined;
    throw new Error(`${formatGroupResource(resource)} does not implement the scale subresource`);
  }
}

async function hasScale(resource: ApiResource, api: RawApi): Promise<boolean> {
  const root = resource.group === "" ? "/api" : "/apis";
  const list = await api.get(`${root}/${formatGroupVersion(resource)}`, { group: "", resource: "" });
  return listAt(list, "resources").some(
    (one) => one["name"] === `${resource.resource}/scale` && one["kind"] === "Scale",
  );
}
