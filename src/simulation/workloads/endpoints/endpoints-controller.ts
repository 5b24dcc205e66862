import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Controller } from "../../../controllers/contract/controller.ts";
import { endpoints, services } from "../contract/core-resources.ts";
import { isOfKind, keyOf, namesOf } from "../contract/object-key.ts";
import type { WorkloadEnvironment } from "../environment/workload-environment.ts";
import { SelectorIndex } from "../ownership/selector-index.ts";
import { isNamespaceTerminating } from "../pods/pod-control.ts";
import { limitedSubsets, overCapacityAnnotation } from "./endpoints-limit.ts";
import { changesEndpoints } from "./service-pods.ts";
import { headlessLabel, isHeadless, isSelecting, selectorOf } from "./service-view.ts";
import { subsetsOf } from "./subsets.ts";
import { TriggerTimes, triggerTimeAnnotation } from "./trigger-times.ts";

const managedByLabel = "endpoints.kubernetes.io/managed-by";
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader";

/** Keeps the Endpoints of services with a selector. Upstream: pkg/controller/endpoint/endpoints_controller.go. */
export function endpointsController(environment: WorkloadEnvironment): Controller {
  const { memory, pods, lister } = environment;
  const selectors = memory.part("workloads/endpoints/selectors", () => new SelectorIndex());
  const times = memory.part("workloads/endpoints/times", () => new TriggerTimes());
  return {
    name: "endpoints-controller",
    kinds: ["Service", "Pod", "Endpoints"],
    observe: (change) => {
      const { object } = change;
      if (isOfKind(object, services)) {
        selectors.take(change, selectorOf(object));
        return [keyOf(object)];
      }
      if (isOfKind(object, endpoints))
        return change.isFound || change.type === "delete" ? [keyOf(object)] : [];
      if (object.kind !== "Pod") return [];
      const former = pods.take(change);
      if (change.type === "put" && !changesEndpoints(former, object)) return [];
      return selectors.selectingEither(former, object);
    },
    reconcile: async (key) => {
      const { namespace, name } = namesOf(key);
      const service = lister.get(services, namespace, name);
      const current = lister.get(endpoints, namespace, name);
      if (service === undefined) {
        times.forget(key);
        await removeLost(environment, current);
      } else if (isSelecting(service)) await sync(environment, service, current, times);
    },
  };
}

/** Deletes the Endpoints of a deleted service; those of a leader election are not of a service. */
async function removeLost({ client }: WorkloadEnvironment, current: KubeObject | undefined): Promise<void> {
  if (current === undefined || current.metadata.annotations?.[leaderAnnotation] !== undefined) return;
  const { namespace = "", name = "", uid = "" } = current.metadata;
  const options = { namespace, preconditions: { uid } };
  await client.delete("v1", "Endpoints", name, options).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

async function sync(
  environment: WorkloadEnvironment,
  service: KubeObject,
  current: KubeObject | undefined,
  times: TriggerTimes,
): Promise<void> {
  const { client, pods, gates } = environment;
  const { namespace = "", name = "" } = service.metadata;
  const selector = selectorOf(service);
  const selected = pods.allIn(namespace).filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
  const all = subsetsOf(service, selected, gates.since);
  const limited = gates.since("1.22") ? limitedSubsets(all) : undefined;
  const subsets = limited ?? all;
  const time = times.next(service, selected);
  const labels = {
    ...service.metadata.labels,
    ...(gates.since("1.33") && { [managedByLabel]: "endpoint-controller" }),
    ...(isHeadless(service) && { [headlessLabel]: "" }),
  };
  const present = current?.metadata.annotations ?? {};
  const isSame =
    jsonEqual(current?.["subsets"] ?? [], subsets) &&
    jsonEqual(current?.metadata.labels ?? {}, labels) &&
    (present[overCapacityAnnotation] === undefined) === (limited === undefined);
  if (current !== undefined && isSame) return;
  const { [triggerTimeAnnotation]: _, [overCapacityAnnotation]: __, ...others } = present;
  const annotations = {
    ...others,
    ...(time !== undefined && { [triggerTimeAnnotation]: time }),
    ...(limited !== undefined && { [overCapacityAnnotation]: "truncated" }),
  };
  const metadata = { ...(current?.metadata ?? { name, namespace }), labels, annotations };
  const manifest = { apiVersion: "v1", kind: "Endpoints", metadata, ...(subsets.length > 0 && { subsets }) };
  try {
    await (current === undefined
      ? client.create(manifest, { namespace })
      : client.update(manifest, { namespace }));
  } catch (error) {
    // Each other try would fail, too.
    if (current === undefined && isNamespaceTerminating(error)) return;
    const isNew = current === undefined;
    const reason = isNew ? "FailedToCreateEndpoint" : "FailedToUpdateEndpoint";
    const what = isNew ? "create endpoint for service" : "update endpoint";
    const message = `Failed to ${what} ${namespace}/${name}: ${messageOf(error)}`;
    const about = { apiVersion: "v1", kind: "Endpoints", metadata } as KubeObject;
    await environment.recorderOf("endpoint-controller").record(about, { type: "Warning", reason, message });
    throw error;
  }
}
