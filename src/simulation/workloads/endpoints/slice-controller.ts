import { aggregateText } from "../../../apimachinery/errors/aggregate.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import { KeySet } from "../../contract/key-set.ts";
import { endpointSlices, services } from "../contract/core-resources.ts";
import { isOfKind, isTerminating, keyOf, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { SelectorIndex } from "../ownership/selector-index.ts";
import { HintedServices } from "./hinted-services.ts";
import { withServiceHints } from "./service-hints.ts";
import { changesEndpoints } from "./service-pods.ts";
import { familiesOf, headlessLabel, isHeadless, isSelecting, selectorOf } from "./service-view.ts";
import { sliceEndpoints } from "./slice-endpoints.ts";
import { type NewSlice, planSlices, type SlicePlan } from "./slice-plan.ts";
import { type SliceOwner, sliceVersion, writeSlices } from "./slice-writer.ts";
import { managedByLabel, serviceNameLabel, TrackedSlices } from "./tracked-slices.ts";
import { TriggerTimes, triggerTimeAnnotation } from "./trigger-times.ts";

const manager = "endpointslice-controller.k8s.io";
const nodes = { group: "", resource: "nodes" };

/** Keeps the EndpointSlices of services with a selector. Upstream: pkg/controller/endpointslice and staging/src/k8s.io/endpointslice. */
export function endpointSliceController(environment: WorkloadEnvironment): Controller {
  const { memory, pods, lister } = environment;
  const selectors = memory.part("workloads/endpointslices/selectors", () => new SelectorIndex());
  const known: KnownSlices = {
    tracked: memory.part("workloads/endpointslices", () => new TrackedSlices(manager)),
    times: memory.part("workloads/endpointslices/times", () => new TriggerTimes()),
    hinted: memory.part("workloads/endpointslices/hints", () => new HintedServices()),
  };
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
      if (isOfKind(object, endpointSlices)) return known.tracked.take(change);
      if (object.kind === "Node") {
        const overloaded = known.hinted.overloaded(() => lister.list(nodes, ""));
        return type === "put" ? [...waiting.keys(), ...overloaded] : overloaded;
      }
      if (object.kind !== "Pod") return [];
      const former = pods.take(change);
      if (type === "put" && !changesEndpoints(former, object)) return [];
      return selectors.selectingEither(former, object);
    },
    reconcile: async (key) => {
      const { namespace, name } = namesOf(key);
      const service = lister.get(services, namespace, name);
      waiting.delete(key);
      if (service === undefined) known.times.forget(key);
      else if (isSelecting(service) && sliceVersion(environment) !== undefined) {
        const lacksNodes = await sync(environment, service, known);
        if (lacksNodes) waiting.add(key);
      }
    },
  };
}

interface KnownSlices {
  readonly tracked: TrackedSlices;
  readonly times: TriggerTimes;
  readonly hinted: HintedServices;
}

/** Returns whether pods were left out because their nodes are missing. */
async function sync(
  environment: WorkloadEnvironment,
  service: KubeObject,
  { tracked, times, hinted }: KnownSlices,
): Promise<boolean> {
  const { pods, lister, gates } = environment;
  const { namespace = "" } = service.metadata;
  const selector = selectorOf(service);
  const selected = pods.allIn(namespace).filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
  const nodeOf = (node: string) => lister.get(nodes, "", node);
  const { groups, problems } = sliceEndpoints(service, selected, nodeOf, gates);
  const existing = tracked.of(keyOf(service)).filter((slice) => !isTerminating(slice));
  const owned = existing.filter((slice) => isOwned(slice, service));
  const planned = planSlices(owned, groups, (endpoint) => textAt(endpoint, "targetRef", "uid"));
  const filled = withPlaceholders(planned, service, owned);
  const { plan, events } = withServiceHints(environment, service, filled, owned, hinted);
  const foreign = existing.filter((slice) => !owned.includes(slice));
  const common = ownerOf(service, times.next(service, selected));
  const recorder = environment.recorderOf("endpoint-slice-controller");
  const warn = (problem: string) => {
    const message = `Error updating Endpoint Slices for Service ${keyOf(service)}: ${problem}`;
    return recorder.record(service, { type: "Warning", reason: "FailedToUpdateEndpointSlices", message });
  };
  try {
    await writeSlices(environment, common, { ...plan, remove: [...plan.remove, ...foreign] }, owned, tracked);
  } catch (error) {
    await warn(aggregateText([...problems, messageOf(error)]));
    throw error;
  }
  for (const event of events) await recorder.record(service, event);
  if (problems.length > 0) await warn(aggregateText(problems));
  return problems.length > 0;
}

/** What the slices of a service have. A new time replaces the former one, which goes without one. */
function ownerOf(service: KubeObject, time: string | undefined): SliceOwner {
  const { name = "", labels: own = {} } = service.metadata;
  const labels = {
    ...Object.fromEntries(Object.entries(own).filter(([key]) => key !== headlessLabel)),
    ...(isHeadless(service) && { [headlessLabel]: "" }),
    [managedByLabel]: manager,
    [serviceNameLabel]: name,
  };
  return {
    owner: service,
    labels,
    annotate: ({ [triggerTimeAnnotation]: _, ...others }) =>
      time === undefined ? others : { ...others, [triggerTimeAnnotation]: time },
    isCurrent: ({ metadata }) => jsonEqual(metadata.labels, labels),
  };
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

/** A former service of the same name may have left slices. */
function isOwned({ metadata }: KubeObject, service: KubeObject): boolean {
  const owners = metadata.ownerReferences ?? [];
  return owners.some(({ uid, kind }) => uid === service.metadata.uid && kind === "Service");
}
