import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { byHash } from "./port-order.ts";

/** The subsets of Endpoints in their order. Upstream: `subsetsByHash` (pkg/api/v1/endpoints/util.go). */
export function subsetsInOrder(subsets: readonly JsonObject[], since: Since): readonly JsonObject[] {
  return byHash(subsets, since, (subset) => {
    const addresses = printedList(listAt(subset, "addresses"), printedAddress);
    const unready = printedList(listAt(subset, "notReadyAddresses"), printedAddress);
    const ports = printedList(listAt(subset, "ports"), printedPort);
    const first = `Addresses:([]v1.EndpointAddress)${addresses} NotReadyAddresses:([]v1.EndpointAddress)${unready}`;
    return `(v1.EndpointSubset){${first} Ports:([]v1.EndpointPort)${ports}}`;
  });
}

/** The ports of a subset of Endpoints in their order. Upstream: `portsByHash`. */
export function subsetPorts(ports: readonly JsonObject[], since: Since): readonly JsonObject[] {
  return byHash(ports, since, (port) => `(v1.EndpointPort)${printedPort(port)}`);
}

function printedList(values: readonly JsonObject[], printed: (value: JsonObject) => string): string {
  return values.length === 0 ? "<nil>" : `[${values.map(printed).join(" ")}]`;
}

function printedPort({ name = "", protocol, port, appProtocol }: JsonObject): string {
  const first = `Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol}`;
  return `{${first} AppProtocol:(*string)${appProtocol ?? "<nil>"}}`;
}

function printedAddress(address: JsonObject): string {
  const target = (field: string) => textAt(address, "targetRef", field);
  const [kind, namespace, name, uid] = ["kind", "namespace", "name", "uid"].map(target);
  const object = `Kind:(string)${kind} Namespace:(string)${namespace} Name:(string)${name} UID:(types.UID)${uid}`;
  const reference = `{${object} APIVersion:(string) ResourceVersion:(string) FieldPath:(string)}`;
  const host = `IP:(string)${textAt(address, "ip")} Hostname:(string)${textAt(address, "hostname")}`;
  return `{${host} NodeName:(*string)${textAt(address, "nodeName")} TargetRef:(*v1.ObjectReference)${reference}}`;
}
