import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import {
  isJsonObject,
  type JsonObject,
  jsonEqual,
  type MutableJsonObject,
} from "../../../apimachinery/json.ts";
import {
  clusterIpsOf,
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheck,
  needsNodePorts,
  nodePortsOf,
  sameTexts,
} from "./service-fields.ts";

/**
 * Restores allocated values that an update leaves out, so that clients can send their original manifest again.
 * Upstream: `patchAllocatedValues`.
 */
export function restoreAllocated(spec: MutableJsonObject, old: JsonObject): void {
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if (textAt(spec, "clusterIP") === "") copyField(spec, old, "clusterIP");
    if (clusterIpsOf(spec).length === 0 && clusterIpsOf(old).length > 0) copyField(spec, old, "clusterIPs");
  }
  if (needsNodePorts(old) && needsNodePorts(spec)) restoreNodePorts(spec, old);
  if (needsHealthCheck(old) && needsHealthCheck(spec) && numberAt(spec, "healthCheckNodePort") === 0) {
    copyField(spec, old, "healthCheckNodePort");
  }
}

/**
 * Drops allocated values that the new type does not have, unless the client has changed them too, which validation
 * rejects. Upstream: pkg/registry/core/service/strategy.go, dropTypeDependentFields.
 */
export function dropUnusedAllocations(spec: MutableJsonObject, old: JsonObject): void {
  if (needsClusterIp(old) && !needsClusterIp(spec)) dropClusterIps(spec, old);
  if (needsNodePorts(old) && !needsNodePorts(spec) && hasNoNewNodePorts(spec, old)) {
    spec["ports"] = listAt(spec, "ports").map(({ nodePort: _, ...port }) => port);
  }
  if (needsHealthCheck(old) && !needsHealthCheck(spec)) dropIfSame(spec, old, "healthCheckNodePort");
  if (textAt(old, "type") === "LoadBalancer" && textAt(spec, "type") !== "LoadBalancer") {
    dropIfSame(spec, old, "allocateLoadBalancerNodePorts");
    dropIfSame(spec, old, "loadBalancerClass");
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(spec)) {
    dropIfSame(spec, old, "externalTrafficPolicy");
  }
}

function dropClusterIps(spec: MutableJsonObject, old: JsonObject): void {
  const isSame = textAt(spec, "clusterIP") === textAt(old, "clusterIP");
  if (isSame && sameTexts(clusterIpsOf(spec), clusterIpsOf(old))) {
    delete spec["clusterIP"];
    delete spec["clusterIPs"];
  }
  dropIfSame(spec, old, "ipFamilies");
  dropIfSame(spec, old, "ipFamilyPolicy");
  dropIfSame(spec, old, "internalTrafficPolicy");
}

function dropIfSame(spec: MutableJsonObject, old: JsonObject, field: string): void {
  if (jsonEqual(spec[field], old[field])) delete spec[field];
}

function copyField(spec: MutableJsonObject, old: JsonObject, field: string): void {
  const value = old[field];
  if (value !== undefined) spec[field] = value;
}

/** Matches ports by name. A node port that another port already uses is not restored. */
function restoreNodePorts(spec: MutableJsonObject, old: JsonObject): void {
  const now = new Set(nodePortsOf(spec));
  const used = new Set(nodePortsOf(old).filter((port) => now.has(port)));
  const byName = new Map(
    listAt(old, "ports").map((port) => [textAt(port, "name"), numberAt(port, "nodePort")]),
  );
  if (!Array.isArray(spec["ports"])) return;
  spec["ports"] = spec["ports"].filter(isJsonObject).map((port) => {
    const before = byName.get(textAt(port, "name")) ?? 0;
    if (numberAt(port, "nodePort") !== 0 || before === 0 || used.has(before)) return port;
    return { ...port, nodePort: before };
  });
}

function hasNoNewNodePorts(spec: JsonObject, old: JsonObject): boolean {
  const before = new Set(nodePortsOf(old));
  return nodePortsOf(spec).every((port) => before.has(port));
}
