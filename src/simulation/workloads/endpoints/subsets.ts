import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Since } from "../../../apimachinery/release.ts";
import { readySince } from "../pods/pod-state.ts";
import { repackSubsets } from "./repack-subsets.ts";
import { addressesOf, hostnameOf, isInEndpoints, podReference, portsOn } from "./service-pods.ts";
import { familiesOf, publishesUnready } from "./service-view.ts";

/** The subsets of the Endpoints of a service. Upstream: `syncService` (pkg/controller/endpoint/endpoints_controller.go). */
export function subsetsOf(
  service: KubeObject,
  pods: readonly KubeObject[],
  since: Since,
): readonly JsonObject[] {
  const all = pods.map((pod) => subsetOf(service, pod)).filter((subset) => subset !== undefined);
  return repackSubsets(all, since);
}

function subsetOf(service: KubeObject, pod: KubeObject): JsonObject | undefined {
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
  const isReady = includesUnready || readySince(pod) !== undefined;
  return { [isReady ? "addresses" : "notReadyAddresses"]: [address], ports };
}

function withoutEmptyName({ name = "", ...port }: JsonObject): JsonObject {
  return name === "" ? port : { name, ...port };
}
