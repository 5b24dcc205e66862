import { listAt, numberAt, structAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { isTerminating } from "../contract/object-key.ts";
import { isFinished, readySince } from "../pods/pod-state.ts";
import { familyOf } from "./service-view.ts";

/** The addresses of a pod in a family. */
export function addressesOf(pod: KubeObject, family: string): readonly string[] {
  const listed = listAt(pod, "status", "podIPs").map((one) => textAt(one, "ip"));
  const all = listed.length > 0 ? listed : [textAt(pod, "status", "podIP")];
  return all.filter((ip) => ip !== "" && familyOf(ip) === family);
}

/** Whether a pod is among the endpoints. Upstream: `ShouldPodBeInEndpoints` (staging/src/k8s.io/endpointslice/util). */
export function isInEndpoints(pod: KubeObject, terminating: "included" | "left out"): boolean {
  const hasAddress = textAt(pod, "status", "podIP") !== "" || listAt(pod, "status", "podIPs").length > 0;
  if (isFinished(pod) || !hasAddress) return false;
  return terminating === "included" || !isTerminating(pod);
}

/** The hostname of a pod in the records of its service. */
export function hostnameOf(pod: KubeObject, service: KubeObject): string {
  const isOfService = textAt(pod, "spec", "subdomain") === service.metadata.name;
  return isOfService ? textAt(pod, "spec", "hostname") : "";
}

export function podReference({ metadata: { namespace = "", name = "", uid = "" } }: KubeObject): JsonObject {
  return { kind: "Pod", namespace, name, uid };
}

/** The ports of a service on a pod; a named port that the pod does not have is left out. */
export function portsOn(pod: KubeObject, service: KubeObject): readonly JsonObject[] {
  return listAt(service, "spec", "ports").flatMap((servicePort) => {
    const port = portNumber(pod, servicePort);
    if (port === undefined) return [];
    const { appProtocol } = servicePort;
    const name = textAt(servicePort, "name");
    const protocol = textAt(servicePort, "protocol");
    return [{ name, port, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

/** Upstream: `FindPort` (pkg/api/v1/pod/util.go). */
function portNumber(pod: KubeObject, servicePort: JsonObject): number | undefined {
  const target = valueAt(servicePort, "targetPort");
  if (typeof target === "number") return target;
  const sidecars = listAt(pod, "spec", "initContainers").filter((one) => one["restartPolicy"] === "Always");
  const containers = [...listAt(pod, "spec", "containers"), ...sidecars];
  const found = containers
    .flatMap((container) => listAt(container, "ports"))
    .find((port) => port["name"] === target && port["protocol"] === servicePort["protocol"]);
  return found === undefined ? undefined : numberAt(found, "containerPort");
}

/** Whether a change of a pod can change endpoints. Upstream: `podEndpointsChanged`. */
export function changesEndpoints(former: KubeObject | undefined, pod: KubeObject): boolean {
  if (former === undefined) return true;
  const hasSame = (read: (object: KubeObject) => unknown) => read(former) === read(pod);
  const isSame =
    hasSame(isFinished) &&
    hasSame(isTerminating) &&
    hasSame((one) => readySince(one) === undefined) &&
    hasSame((one) => textAt(one, "status", "podIP")) &&
    hasSame((one) => textAt(one, "spec", "nodeName")) &&
    hasSame(({ metadata }) => metadata.uid) &&
    jsonEqual(former.metadata.labels, pod.metadata.labels);
  return !isSame || !jsonEqual(structAt(former, "status")["podIPs"], structAt(pod, "status")["podIPs"]);
}
