import { internalError, invalid, plainError, type StatusError } from "../../../apimachinery/errors/errors.ts";
import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { booleanAt, listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, MutableJsonObject } from "../../../apimachinery/json.ts";
import { rangeIsFull, type ServiceAllocation } from "./service-allocation.ts";
import { needsHealthCheck, needsNodePorts, nodePortsOf } from "./service-fields.ts";

/** Allocates the node ports of a new service and its health check node port. */
export function allocateNodePorts(
  spec: MutableJsonObject,
  name: string,
  allocation: ServiceAllocation,
): void {
  if (needsNodePorts(spec)) spec["ports"] = newNodePorts(spec, name, allocation);
  if (needsHealthCheck(spec)) allocateHealthCheckPort(spec, allocation);
}

/** Allocates node ports for changed ports; the service keeps those that it had. */
export function updateNodePorts(
  spec: MutableJsonObject,
  old: JsonObject,
  name: string,
  allocation: ServiceAllocation,
): void {
  if (needsNodePorts(spec)) spec["ports"] = changedNodePorts(spec, old, name, allocation);
  if (needsHealthCheck(spec) && !needsHealthCheck(old)) allocateHealthCheckPort(spec, allocation);
}

/** Ports with the same number and different protocols share a node port. */
function newNodePorts(spec: JsonObject, name: string, allocation: ServiceAllocation): readonly JsonObject[] {
  const ports = listAt(spec, "ports");
  const shared = new Map<number, number>();
  // The first port of each number that requests a node port.
  const requests = new Map(
    ports
      .filter(hasNodePort)
      .reverse()
      .map((port) => [numberAt(port, "port"), numberAt(port, "nodePort")]),
  );
  return ports.map((port, i) => {
    const number = numberAt(port, "port");
    const wanted = numberAt(port, "nodePort");
    if (wanted === 0 && !allocatesNodePorts(spec)) return port;
    const known = shared.get(number);
    if (known === undefined) {
      const nodePort = requests.get(number);
      const given = nodePort === undefined ? anyPort(allocation) : nodePort;
      if (nodePort !== undefined) takePort(nodePort, i, name, allocation);
      shared.set(number, given);
      return { ...port, nodePort: given };
    }
    if (wanted === 0) return { ...port, nodePort: known };
    if (wanted !== known) takePort(wanted, i, name, allocation);
    return port;
  });
}

function changedNodePorts(
  spec: JsonObject,
  old: JsonObject,
  name: string,
  allocation: ServiceAllocation,
): readonly JsonObject[] {
  const own = new Set(nodePortsOf(old));
  const seen = new Set<string>();
  return listAt(spec, "ports").map((port, i) => {
    const wanted = numberAt(port, "nodePort");
    if (wanted === 0 && !allocatesNodePorts(spec)) return port;
    if (wanted !== 0 && !own.has(wanted)) {
      takePort(wanted, i, name, allocation);
      own.add(wanted);
    }
    const nodePort = wanted === 0 ? anyPort(allocation) : wanted;
    const use = `{${textAt(port, "protocol")} ${nodePort}}`;
    if (seen.has(use)) throw plainError(500, `duplicate nodePort: ${use}`);
    seen.add(use);
    return { ...port, nodePort };
  });
}

function hasNodePort(port: JsonObject): boolean {
  return numberAt(port, "nodePort") !== 0;
}

function allocatesNodePorts(spec: JsonObject): boolean {
  return textAt(spec, "type") !== "LoadBalancer" || booleanAt(spec, "allocateLoadBalancerNodePorts");
}

function takePort(nodePort: number, i: number, name: string, allocation: ServiceAllocation): void {
  const refusal = allocation.takePort(nodePort);
  if (refusal !== undefined) throw invalidService(name, `spec.ports[${i}].nodePort`, nodePort, refusal);
}

function anyPort(allocation: ServiceAllocation): number {
  const port = allocation.nextPort();
  if (port === undefined) throw internalError(`failed to allocate a nodePort: ${rangeIsFull}`);
  return port;
}

function allocateHealthCheckPort(spec: MutableJsonObject, allocation: ServiceAllocation): void {
  const wanted = numberAt(spec, "healthCheckNodePort");
  if (wanted === 0) {
    const port = allocation.nextPort();
    if (port === undefined) {
      throw internalError(`failed to allocate a HealthCheck NodePort 0: ${rangeIsFull}`);
    }
    spec["healthCheckNodePort"] = port;
    return;
  }
  const refusal = allocation.takePort(wanted);
  if (refusal !== undefined) {
    throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${refusal}`);
  }
}

function invalidService(name: string, field: string, value: number, detail: string): StatusError {
  return invalid({ group: "", kind: "Service" }, name, [fieldInvalid(field, value, detail)]);
}
