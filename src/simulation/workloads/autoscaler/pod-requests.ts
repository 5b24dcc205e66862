import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import {
  amountsIn,
  amountsOfPod,
  isPodLevelResource,
  sumOf,
} from "../../../kinds/quantities/resource-amounts.ts";

/**
 * What pods request of a resource, in thousandths, by their names. With the name of a container, what that container requests. Upstream:
 * `calculateRequests` (pkg/controller/podautoscaler/replica_calculator.go).
 * @throws {Error} for a pod or container without a request
 */
export function requestsOfPods(
  pods: readonly KubeObject[],
  container: string,
  resource: string,
  gates: FeatureGates,
): ReadonlyMap<string, bigint> {
  return new Map(
    pods.map((pod) => [pod.metadata.name ?? "", requestOfPod(pod, container, resource, gates)] as const),
  );
}

function requestOfPod(pod: KubeObject, container: string, resource: string, gates: FeatureGates): bigint {
  const spec = objectAt(pod, "spec") ?? {};
  const isWhole = container === "" && gates.isEnabled("PodLevelResources") && hasOwnRequests(spec);
  if (!isWhole) return requestOfContainers(pod, container, resource, gates);
  const requests = sumOf(amountsOfPod(spec, "requests"), amountsIn(objectAt(spec, "overhead") ?? {}));
  const request = requests.get(resource);
  if (request === undefined)
    throw new Error(`missing pod-level request for ${resource} in Pod ${pod.metadata.name}`);
  return request.milliValue();
}

function hasOwnRequests(spec: JsonObject): boolean {
  return Object.keys(objectAt(spec, "resources", "requests") ?? {}).some(isPodLevelResource);
}

function requestOfContainers(pod: KubeObject, wanted: string, resource: string, gates: FeatureGates): bigint {
  const sidecars = listAt(pod, "spec", "initContainers").filter((one) => one["restartPolicy"] === "Always");
  let sum = 0n;
  for (const container of [...listAt(pod, "spec", "containers"), ...sidecars]) {
    const name = textAt(container, "name");
    if (wanted !== "" && wanted !== name) continue;
    const request = textAt(container, "resources", "requests", resource);
    if (request === "") throw new Error(missingRequest(resource, name, pod, gates));
    sum += parseQuantity(request).milliValue();
    if (wanted === name) return sum;
  }
  if (wanted === "") return sum;
  throw new Error(`container ${wanted} not found in Pod ${pod.metadata.name}`);
}

function missingRequest(
  resource: string,
  container: string,
  { metadata }: KubeObject,
  gates: FeatureGates,
): string {
  const where = gates.since("1.27") ? ` in container ${container} of Pod ${metadata.name}` : "";
  return `missing request for ${resource}${where}`;
}
