import { listAt, numberAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

/** The cluster IP of a headless service. */
export const headless = "None";

/** The names of IP families. */
export type IpFamily = "IPv4" | "IPv6";

/** The addresses of `clusterIPs`, the first of which is `clusterIP`. */
export function clusterIpsOf(spec: JsonObject): readonly string[] {
  return textsAt(spec, "clusterIPs");
}

/** The spec with `clusterIPs`, which services before 1.20 do not have. */
export function withPluralIps(spec: JsonObject): JsonObject {
  const ip = textAt(spec, "clusterIP");
  return ip === "" || clusterIpsOf(spec).length > 0 ? spec : { ...spec, clusterIPs: [ip] };
}

export function isHeadless(spec: JsonObject): boolean {
  const ips = clusterIpsOf(spec);
  return ips.length === 1 && ips[0] === headless;
}

/** Whether services of the type have cluster IPs, including "None". */
export function needsClusterIp(spec: JsonObject): boolean {
  return textAt(spec, "type") !== "ExternalName";
}

/** Whether services of the type have node ports. */
export function needsNodePorts(spec: JsonObject): boolean {
  const type = textAt(spec, "type");
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether traffic from outside the cluster can reach the service. */
export function isExternallyAccessible(spec: JsonObject): boolean {
  if (needsNodePorts(spec)) return true;
  return textAt(spec, "type") === "ClusterIP" && textsAt(spec, "externalIPs").length > 0;
}

/** Whether load balancers need a port to check which nodes have endpoints. */
export function needsHealthCheck(spec: JsonObject): boolean {
  return textAt(spec, "type") === "LoadBalancer" && textAt(spec, "externalTrafficPolicy") === "Local";
}

/** The node ports of the service's ports. */
export function nodePortsOf(spec: JsonObject): readonly number[] {
  return listAt(spec, "ports")
    .map((port) => numberAt(port, "nodePort"))
    .filter((port) => port !== 0);
}

export function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}
