import { listAt, stringsAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import { endpointSlices, endpoints, services } from "../contract/core-resources.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { OwnedObjects } from "../ownership/owned-objects.ts";
import { familyOf } from "./service-view.ts";

import { type PortGroup, planSlices } from "./slice-plan.ts";
import { managedByLabel, serviceNameLabel, sliceVersion, writeSlices } from "./slice-writer.ts";
import { triggerTimeAnnotation } from "./trigger-times.ts";

const manager = "endpointslicemirroring-controller.k8s.io";
const skipLabel = "endpointslice.kubernetes.io/skip-mirror";
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader";
const mostAddresses = 1000;

/** Copies Endpoints that users write for services without a selector to slices. Upstream: pkg/controller/endpointslicemirroring. */
export function endpointSliceMirroring(environment: WorkloadEnvironment): Controller {
  const { memory, lister } = environment;
  const owned = memory.part("workloads/endpointslices", () => new OwnedObjects(endpointSlices));
  return {
    name: "endpointslice-mirroring-controller",
    kinds: ["Service", "Endpoints", "EndpointSlice"],
    observe: (change) => {
      const { object, type } = change;
      if (isOfKind(object, services) || isOfKind(object, endpoints)) return [keyOf(object)];
      if (!isOfKind(object, endpointSlices)) return [];
      owned.take(change);
      const isLost = type === "delete" && object.metadata.labels?.[managedByLabel] === manager;
      return isLost ? [`${object.metadata.namespace}/${object.metadata.labels?.[serviceNameLabel]}`] : [];
    },
    reconcile: async (key) => {
      const { namespace, name } = namesOf(key);
      const source = lister.get(endpoints, namespace, name);
      if (source === undefined || sliceVersion(environment) === undefined) return;
      const isMirrored = mirrors(source, lister.get(services, namespace, name));
      await sync(environment, source, isMirrored ? groupsOf(source) : [], owned);
    },
  };
}

/** Whether Endpoints are to be copied. Upstream: `shouldMirror`. */
function mirrors({ metadata }: KubeObject, service: KubeObject | undefined): boolean {
  if (service === undefined || Object.keys(stringsAt(service, "spec", "selector")).length > 0) return false;
  const isSkipped = metadata.labels?.[skipLabel] === "true";
  return !isSkipped && metadata.annotations?.[leaderAnnotation] === undefined;
}

async function sync(
  environment: WorkloadEnvironment,
  source: KubeObject,
  groups: readonly PortGroup[],
  owned: OwnedObjects,
): Promise<void> {
  const { uid = "", name = "", labels = {}, annotations = {} } = source.metadata;
  const existing = owned
    .ownedBy(uid)
    .filter((slice) => slice.metadata.labels?.[managedByLabel] === manager && !isTerminating(slice));
  const plan = planSlices(existing, groups, (endpoint) => JSON.stringify(endpoint["addresses"]));
  const {
    [triggerTimeAnnotation]: time,
    "kubectl.kubernetes.io/last-applied-configuration": _,
    ...copied
  } = annotations;
  const common = {
    owner: source,
    labels: { ...labels, [managedByLabel]: manager, [serviceNameLabel]: name },
    annotations: copied,
    time,
  };
  await writeSlices(environment, common, plan, existing);
}

/** The addresses of the subsets, by family and ports. */
function groupsOf(source: KubeObject): readonly PortGroup[] {
  const groups = new Map<
    string,
    { addressType: string; ports: readonly JsonObject[]; endpoints: JsonObject[] }
  >();
  for (const subset of listAt(source, "subsets")) {
    const ports = listAt(subset, "ports").map(({ name = "", ...port }) => ({ name, ...port }));
    const found = [...mirrored(subset, "addresses"), ...mirrored(subset, "notReadyAddresses")];
    for (const endpoint of found.slice(0, mostAddresses)) {
      const addressType = familyOf(textsAt(endpoint, "addresses")[0] ?? "");
      const key = JSON.stringify([addressType, ports]);
      const known = groups.get(key)?.endpoints ?? [];
      groups.set(key, { addressType, ports, endpoints: [...known, endpoint] });
    }
  }
  return [...groups.values()];
}

function mirrored(subset: JsonObject, field: "addresses" | "notReadyAddresses"): readonly JsonObject[] {
  return listAt(subset, field).map(({ ip = "", hostname, nodeName, targetRef }) => ({
    addresses: [ip],
    conditions: { ready: field === "addresses" },
    ...(hostname !== undefined && { hostname }),
    ...(targetRef !== undefined && { targetRef }),
    ...(nodeName !== undefined && { nodeName }),
  }));
}
