import { textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import { endpointSlices, services } from "../contract/core-resources.ts";
import { KeySet } from "../contract/key-set.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { OwnedObjects } from "../ownership/owned-objects.ts";
import { SelectorIndex } from "../ownership/selector-index.ts";
import { changesEndpoints } from "./service-pods.ts";
import { familiesOf, headlessLabel, isHeadless, isSelecting, selectorOf } from "./service-view.ts";
import { sliceEndpoints } from "./slice-endpoints.ts";
import { type NewSlice, planSlices, type SlicePlan } from "./slice-plan.ts";
import { managedByLabel, serviceNameLabel, sliceVersion, writeSlices } from "./slice-writer.ts";
import { TriggerTimes } from "./trigger-times.ts";

const manager = "endpointslice-controller.k8s.io";
const nodes = { group: "", resource: "nodes" };

/** Keeps the EndpointSlices of services with a selector. Upstream: pkg/controller/endpointslice and staging/src/k8s.io/endpointslice. */
export function endpointSliceController(environment: WorkloadEnvironment): Controller {
  const { memory, pods } = environment;
  const selectors = memory.part("workloads/endpointslices/selectors", () => new SelectorIndex());
  const owned = memory.part("workloads/endpointslices", () => new OwnedObjects(endpointSlices));
  const times = memory.part("workloads/endpointslices/times", () => new TriggerTimes());
  /** The services with pods on nodes that are missing. */
  const waiting = memory.part("workloads/endpointslices/waiting", () => new KeySet());
  return {
    name: "endpointslice-controller",
    kinds: ["Service", "Pod", "EndpointSlice", "Node"],
    observe: (change) => {
      const { object, type } = change;
      if (isOfKind(object, services)) {
        selectors.take(change, selectorOf(object));
        return [keyOf(object)];
      }
      if (isOfKind(object, endpointSlices)) {
        owned.take(change);
        return type === "delete" && isManaged(object) ? [serviceKey(object)] : [];
      }
      if (object.kind === "Node") return type === "put" ? waiting.keys() : [];
      if (object.kind !== "Pod") return [];
      const former = pods.take(change);
      if (type === "put" && !changesEndpoints(former, object)) return [];
      return selectors.selectingEither(former, object);
    },
    reconcile: async (key) => {
      const { namespace, name } = namesOf(key);
      const service = environment.lister.get(services, namespace, name);
      waiting.delete(key);
      if (service === undefined) times.forget(key);
      else if (isSelecting(service) && sliceVersion(environment) !== undefined) {
        const lacksNodes = await sync(environment, service, owned, times);
        if (lacksNodes) waiting.add(key);
      }
    },
  };
}

/** Returns whether pods were left out because their nodes are missing. */
async function sync(
  environment: WorkloadEnvironment,
  service: KubeObject,
  owned: OwnedObjects,
  times: TriggerTimes,
): Promise<boolean> {
  const { pods, lister, gates } = environment;
  const { namespace = "", name = "", uid = "", labels = {} } = service.metadata;
  const selector = selectorOf(service);
  const selected = pods.allIn(namespace).filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
  const nodeOf = (node: string) => lister.get(nodes, "", node);
  const { groups, lacksNodes } = sliceEndpoints(service, selected, nodeOf, gates);
  const existing = owned.ownedBy(uid).filter((slice) => isManaged(slice) && !isTerminating(slice));
  const plan = planSlices(existing, groups, (endpoint) => textAt(endpoint, "targetRef", "uid"));
  const common = {
    owner: service,
    labels: {
      ...Object.fromEntries(Object.entries(labels).filter(([key]) => key !== headlessLabel)),
      ...(isHeadless(service) && { [headlessLabel]: "" }),
      [managedByLabel]: manager,
      [serviceNameLabel]: name,
    },
    annotations: {},
    time: times.next(service, selected),
  };
  await writeSlices(environment, common, withPlaceholders(plan, service, existing), existing);
  return lacksNodes;
}

/** A service without endpoints has an empty slice for each family. */
function withPlaceholders(plan: SlicePlan, service: KubeObject, existing: readonly KubeObject[]): SlicePlan {
  const isOf = (family: string) => (slice: KubeObject | NewSlice) => slice.addressType === family;
  let { create, update, remove } = plan;
  for (const family of familiesOf(service)) {
    const going = remove.filter(isOf(family));
    if (existing.filter(isOf(family)).length > going.length || create.some(isOf(family))) continue;
    const [first] = going;
    remove = remove.filter((slice) => slice !== first);
    const isEmpty =
      first !== undefined && !Array.isArray(first["endpoints"]) && !Array.isArray(first["ports"]);
    if (isEmpty) continue;
    if (first === undefined) create = [...create, { addressType: family, ports: [], endpoints: [] }];
    else update = [...update, { ...first, endpoints: [], ports: [] }];
  }
  return { create, update, remove };
}

function isManaged({ metadata }: KubeObject): boolean {
  return metadata.labels?.[managedByLabel] === manager;
}

function serviceKey({ metadata: { namespace = "", labels } }: KubeObject): string {
  return `${namespace}/${labels?.[serviceNameLabel] ?? ""}`;
}
