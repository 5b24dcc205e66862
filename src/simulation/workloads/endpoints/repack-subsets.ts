import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { subsetPorts, subsetsInOrder } from "./subset-order.ts";

interface Address {
  /** Its IP and the uid of its pod. */
  readonly key: string;
  readonly address: JsonObject;
  readonly isReady: boolean;
}

/** A port, with the addresses that serve it by their keys. No ports at all are the empty list. */
interface ServedPorts {
  readonly ports: readonly JsonObject[];
  readonly addresses: ReadonlyMap<string, Address>;
}

/**
 * The subsets of Endpoints in their canonical form: all ports that the same addresses serve are in one subset, and everything is sorted. Upstream:
 * `RepackSubsets` (pkg/api/v1/endpoints/util.go).
 *
 * | addresses and ports | repacked |
 * | --- | --- |
 * | 10.0.0.1 serves http and dns, 10.0.0.2 serves http | both addresses with http, 10.0.0.1 with dns |
 */
export function repackSubsets(subsets: readonly JsonObject[], since: Since): readonly JsonObject[] {
  const groups = new Map<string, ServedPorts>();
  for (const { ports, addresses } of servedPorts(subsets)) {
    const sorted = [...addresses.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const key = sorted.map(({ key: own, isReady }) => `${own} ${isReady}`).join();
    const known = groups.get(key);
    groups.set(key, {
      ports: [...(known?.ports ?? []), ...ports],
      addresses: new Map(sorted.map((one) => [one.key, one])),
    });
  }
  const packed = [...groups.values()].map((group) => subsetOf(group, since));
  return subsetsInOrder(packed, since);
}

function servedPorts(subsets: readonly JsonObject[]): Iterable<ServedPorts> {
  const served = new Map<string, { ports: readonly JsonObject[]; addresses: Map<string, Address> }>();
  for (const subset of subsets) {
    const ports = listAt(subset, "ports");
    const found = [...addressesIn(subset, "addresses"), ...addressesIn(subset, "notReadyAddresses")];
    for (const one of ports.length > 0 ? ports.map((port) => [port]) : [[]]) {
      const key = JSON.stringify(one);
      const { addresses } = served.get(key) ?? { addresses: new Map<string, Address>() };
      for (const address of found) addAddress(addresses, address);
      served.set(key, { ports: one, addresses });
    }
  }
  return served.values();
}

/** One that is not ready anywhere is not ready. */
function addAddress(addresses: Map<string, Address>, found: Address): void {
  const known = addresses.get(found.key) ?? found;
  addresses.set(found.key, { ...known, isReady: known.isReady && found.isReady });
}

function addressesIn(subset: JsonObject, field: "addresses" | "notReadyAddresses"): readonly Address[] {
  return listAt(subset, field).map((address) => {
    const key = `${textAt(address, "ip")} ${textAt(address, "targetRef", "uid")}`;
    return { key, address, isReady: field === "addresses" };
  });
}

function subsetOf({ ports, addresses }: ServedPorts, since: Since): JsonObject {
  const all = [...addresses.values()];
  const ready = all.filter(({ isReady }) => isReady).map(({ address }) => address);
  const unready = all.filter(({ isReady }) => !isReady).map(({ address }) => address);
  return {
    ...(ready.length > 0 && { addresses: ready }),
    ...(unready.length > 0 && { notReadyAddresses: unready }),
    ...(ports.length > 0 && { ports: subsetPorts(ports, since) }),
  };
}
