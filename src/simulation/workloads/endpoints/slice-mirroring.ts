import { listAt, stringsAt, textsAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import { endpointSlices, endpoints, services } from "../contract/core-resources.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { slicePorts } from "./port-order.ts";
import { repackSubsets } from "./repack-subsets.ts";
import { familyOf } from "./service-view.ts";
import { hasPorts, type PortGroup, recycled, type SlicePlan } from "./slice-plan.ts";
import { removeSlices, type SliceOwner, sliceVersion, writeSlices } from "./slice-writer.ts";
import { managedByLabel, serviceNameLabel, TrackedSlices } from "./tracked-slices.ts";
import { triggerTimeAnnotation } from "./trigger-times.ts";

const manager = "endpointslicemirroring-controller.k8s.io";
const skipLabel = "endpointslice.kubernetes.io/skip-mirror";
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader";
const mostAddresses = 1000;

/** Copies Endpoints that users write for services without a selector to slices. Upstream: pkg/controller/endpointslicemirroring. */
export function endpointSliceMirroring(environment: WorkloadEnvironment): Controller {
  const { memory, lister } = environment;
  const tracked = memory.part("workloads/mirrored-endpoints", () => new TrackedSlices(manager));
  return {
    name: "endpointslice-mirroring-controller",
    kinds: ["Service", "Endpoints", "EndpointSlice"],
    observe: (change) => {
      const { object } = change;
      if (isOfKind(object, services) || isOfKind(object, endpoints)) return [keyOf(object)];
      return isOfKind(object, endpointSlices) ? tracked.take(change) : [];
    },
    reconcile: async (key) => {
      const { namespace, name } = namesOf(key);
      const source = lister.get(endpoints, namespace, name);
      if (sliceVersion(environment) === undefined) return;
      const existing = tracked.of(key).filter((slice) => !isTerminating(slice));
      if (source === undefined || !mirrors(source, lister.get(services, namespace, name)))
        return removeSlices(environment, existing);
      const { groups, skipped } = groupsOf(source, environment.gates.since);
      if (skipped > 0) await sayTooMany(environment, source, skipped);
      const common = ownerOf(source);
      await writeSlices(environment, common, planMirrors(existing, groups), existing, tracked);
    },
  };
}

/** Whether Endpoints are to be copied. Upstream: `shouldMirror`. */
function mirrors({ metadata }: KubeObject, service: KubeObject | undefined): boolean {
  if (service === undefined || Object.keys(stringsAt(service, "spec", "selector")).length > 0) return false;
  const isSkipped = metadata.labels?.[skipLabel] === "true";
  return !isSkipped && metadata.annotations?.[leaderAnnotation] === undefined;
}

function sayTooMany(environment: WorkloadEnvironment, source: KubeObject, skipped: number): Promise<void> {
  const most = `A max of ${mostAddresses} addresses can be mirrored to EndpointSlices per Endpoints subset`;
  return environment.recorderOf("endpoint-slice-mirroring-controller").record(source, {
    type: "Warning",
    reason: "TooManyAddressesToMirror",
    message: `${most}. ${skipped} addresses were skipped`,
  });
}

/** What the slices of Endpoints have: their labels, and their annotations but those of other components. */
function ownerOf(source: KubeObject): SliceOwner {
  const { name = "", labels: own = {}, annotations = {} } = source.metadata;
  const labels = { ...own, [managedByLabel]: manager, [serviceNameLabel]: name };
  const {
    [triggerTimeAnnotation]: _,
    "kubectl.kubernetes.io/last-applied-configuration": __,
    ...copied
  } = annotations;
  return {
    owner: source,
    labels,
    annotate: () => copied,
    isCurrent: ({ metadata }) =>
      jsonEqual(metadata.labels, labels) && jsonEqual(metadata.annotations ?? {}, copied),
  };
}

/** One slice for each family and ports, however many addresses there are. Upstream: `reconcileByPortMapping`. */
function planMirrors(existing: readonly KubeObject[], groups: readonly PortGroup[]): SlicePlan {
  const pairs = groups.map((group) => ({
    group,
    slice: existing.find((one) => one["addressType"] === group.addressType && hasPorts(one, group)),
  }));
  const kept = new Set(pairs.map(({ slice }) => slice));
  return recycled({
    create: pairs.flatMap(({ group, slice }) => (slice === undefined ? [group] : [])),
    update: pairs.flatMap(({ group: { endpoints: wanted }, slice }) => {
      if (slice === undefined || jsonEqual([...listAt(slice, "endpoints")], [...wanted])) return [];
      return [{ ...slice, endpoints: wanted }];
    }),
    remove: existing.filter((slice) => !kept.has(slice)),
  });
}

interface MirroredGroups {
  readonly groups: readonly PortGroup[];
  /** How many addresses are too many for a subset. */
  readonly skipped: number;
}

/** The addresses of the subsets, by family and ports. */
function groupsOf(source: KubeObject, since: Since): MirroredGroups {
  const groups = new Map<string, PortGroup & { readonly byAddress: Map<string, JsonObject> }>();
  let skipped = 0;
  for (const subset of repackSubsets(listAt(source, "subsets"), since)) {
    const named = listAt(subset, "ports").map(({ name = "", ...port }) => ({ name, ...port }));
    const ports = slicePorts(named, since);
    const found = [...mirrored(subset, "addresses"), ...mirrored(subset, "notReadyAddresses")];
    skipped += Math.max(0, found.length - mostAddresses);
    for (const endpoint of found.slice(0, mostAddresses)) {
      const [address = ""] = textsAt(endpoint, "addresses");
      const addressType = familyOf(address);
      const key = JSON.stringify([addressType, ports]);
      const byAddress = groups.get(key)?.byAddress ?? new Map<string, JsonObject>();
      groups.set(key, { addressType, ports, byAddress: byAddress.set(address, endpoint), endpoints: [] });
    }
  }
  const all = [...groups.values()].map(({ byAddress, ...group }) => ({
    ...group,
    endpoints: [...byAddress.values()].slice(0, mostAddresses),
  }));
  return { groups: all, skipped };
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
