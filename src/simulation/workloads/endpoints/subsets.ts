import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { readySince } from "../pods/pod-state.ts";
import { subsetsInOrder, subsetPorts } from "./subset-order.ts";
import { addressesOf, hostnameOf, isInEndpoints, podReference, portsOn } from "./service-pods.ts";
import { familiesOf, publishesUnready } from "./service-view.ts";

interface Address {
  readonly address: JsonObject;
  readonly isReady: boolean;
}

/** A port, or none for a service without ports, with the addresses that serve it. */
interface ServedPort {
  readonly ports: readonly JsonObject[];
  readonly addresses: Address[];
}

/**
 * The subsets of the Endpoints of a service: ports that the same addresses serve share one. Upstream: `syncService`
 * (pkg/controller/endpoint/endpoints_controller.go) and `RepackSubsets` (pkg/api/v1/endpoints/util.go).
 */
export function subsetsOf(
  service: KubeObject,
  pods: readonly KubeObject[],
  since: Since,
): readonly JsonObject[] {
  const groups = new Map<string, ServedPort>();
  for (const served of servedPorts(service, pods)) {
    const key = served.addresses.map(orderOf).join();
    const { ports = [], addresses = served.addresses } = groups.get(key) ?? {};
    groups.set(key, { ports: [...ports, ...served.ports], addresses });
  }
  return subsetsInOrder([...groups.values()].map((group) => subsetOf(group, since)), since);
}

function servedPorts(service: KubeObject, pods: readonly KubeObject[]): Iterable<ServedPort> {
  const served = new Map<string, ServedPort>();
  const hasPorts = listAt(service, "spec", "ports").length > 0;
  for (const pod of pods) {
    const found = addressOf(pod, service);
    if (found === undefined) continue;
    const ports = portsOn(pod, service).map(withoutEmptyName);
    for (const one of hasPorts ? ports.map((port) => [port]) : [[]]) {
      const key = JSON.stringify(one);
      const known = served.get(key) ?? { ports: one, addresses: [] };
      known.addresses.push(found);
      served.set(key, known);
    }
  }
  return served.values();
}

function addressOf(pod: KubeObject, service: KubeObject): Address | undefined {
  const includesUnready = publishesUnready(service);
  if (!isInEndpoints(pod, includesUnready ? "included" : "left out")) return undefined;
  const [ip] = addressesOf(pod, familiesOf(service)[0] ?? "IPv4");
  if (ip === undefined) return undefined;
  const hostname = hostnameOf(pod, service);
  const address = {
    ip,
    ...(hostname !== "" && { hostname }),
    nodeName: textAt(pod, "spec", "nodeName"),
    targetRef: podReference(pod),
  };
  return { address, isReady: includesUnready || readySince(pod) !== undefined };
}

function withoutEmptyName({ name = "", ...port }: JsonObject): JsonObject {
  return name === "" ? port : { name, ...port };
}

function subsetOf({ addresses, ports: served }: ServedPort, since: Since): JsonObject {
  const sorted = addresses.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const ready = sorted.filter(({ isReady }) => isReady).map(({ address }) => address);
  const unready = sorted.filter(({ isReady }) => !isReady).map(({ address }) => address);
  const ports = subsetPorts(served, since);
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
