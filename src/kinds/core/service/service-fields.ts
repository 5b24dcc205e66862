import { listAt, numberAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

/** The cluster IP of a service that has none and wants none. */
export const headless = "None";

/** An IP family as services name it. */
export type IpFamily = "IPv4" | "IPv6";

/** The plural of `clusterIP`; its first address is the singular. */
export function clusterIpsOf(spec: JsonObject): readonly string[] {
  return textsAt(spec, "clusterIPs");
}

/** The spec with the plural, which services had not before 1.20. */
export function withPluralIps(spec: JsonObject): JsonObject {
  const ip = textAt(spec, "clusterIP");
  return ip === "" || clusterIpsOf(spec).length > 0 ? spec : { ...spec, clusterIPs: [ip] };
}

export function isHeadless(spec: JsonObject): boolean {
  const ips = clusterIpsOf(spec);
  return ips.length === 1 && ips[0] === headless;
}

/** Whether the type has cluster IPs; "None" counts as one. */
export function needsClusterIp(spec: JsonObject): boolean {
  return textAt(spec, "type") !== "ExternalName";
}

/** Whether the type has node ports. */
export function needsNodePorts(spec: JsonObject): boolean {
  const type = textAt(spec, "type");
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether traffic can come from outside of the cluster. */
export function isExternallyAccessible(spec: JsonObject): boolean {
  if (needsNodePorts(spec)) return true;
  return textAt(spec, "type") === "ClusterIP" && textsAt(spec, "externalIPs").length > 0;
}

/** Whether load balancers ask the nodes which of them have endpoints. */
export function needsHealthCheck(spec: JsonObject): boolean {
  return textAt(spec, "type") === "LoadBalancer" && textAt(spec, "externalTrafficPolicy") === "Local";
}

/** The node ports of the service's ports that have one. */
export function nodePortsOf(spec: JsonObject): readonly number[] {
  return listAt(spec, "ports")
    .map((port) => numberAt(port, "nodePort"))
    .filter((port) => port !== 0);
}

export function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}
