import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { readySince } from "../pods/pod-state.ts";
import { subsetPorts } from "./port-order.ts";
import { addressesOf, hostnameOf, isInEndpoints, podReference, portsOn } from "./service-pods.ts";
import { familiesOf, publishesUnready } from "./service-view.ts";

interface Address {
  readonly address: JsonObject;
  readonly isReady: boolean;
  readonly ports: readonly JsonObject[];
}

/**
 * The subsets of the Endpoints of a service: addresses with the same ports share one. Upstream: `syncService`
 * (pkg/controller/endpoint/endpoints_controller.go) and `RepackSubsets` (pkg/api/v1/endpoints/util.go).
 */
export function subsetsOf(
  service: KubeObject,
  pods: readonly KubeObject[],
  since: Since,
): readonly JsonObject[] {
  const groups = new Map<string, Address[]>();
  for (const pod of pods) {
    const found = addressOf(pod, service);
    if (found === undefined) continue;
    const key = JSON.stringify(found.ports);
    groups.set(key, [...(groups.get(key) ?? []), found]);
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => subsetOf(group, since));
}

function addressOf(pod: KubeObject, service: KubeObject): Address | undefined {
  const includesUnready = publishesUnready(service);
  if (!isInEndpoints(pod, includesUnready ? "included" : "left out")) return undefined;
  const [ip] = addressesOf(pod, familiesOf(service)[0] ?? "IPv4");
  const ports = portsOn(pod, service).map(withoutEmptyName);
  const hasPorts = listAt(service, "spec", "ports").length > 0;
  if (ip === undefined || (hasPorts && ports.length === 0)) return undefined;
  const hostname = hostnameOf(pod, service);
  const address = {
    ip,
    ...(hostname !== "" && { hostname }),
    nodeName: textAt(pod, "spec", "nodeName"),
    targetRef: podReference(pod),
  };
  return { address, isReady: includesUnready || readySince(pod) !== undefined, ports };
}

function withoutEmptyName({ name = "", ...port }: JsonObject): JsonObject {
  return name === "" ? port : { name, ...port };
}

function subsetOf(group: readonly Address[], since: Since): JsonObject {
  const sorted = group.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const ready = sorted.filter(({ isReady }) => isReady).map(({ address }) => address);
  const unready = sorted.filter(({ isReady }) => !isReady).map(({ address }) => address);
  const ports = subsetPorts(group[0]?.ports ?? [], since);
  return {
    ...(ready.length > 0 && { addresses: ready }),
    ...(unready.length > 0 && { notReadyAddresses: unready }),
    ...(ports.length > 0 && { ports }),
  };
}

/** Addresses are sorted as text, and those of pods that share one by uid. Upstream: `LessEndpointAddress`. */
function orderOf({ address }: Address): string {
  return `${textAt(address, "ip")} ${textAt(address, "targetRef", "uid")}`;
}
