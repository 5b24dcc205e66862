import { booleanAt, listAt, numberAt, structAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { parseQuantity, type Quantity } from "../../../apimachinery/quantity.ts";
import type { QuotaEvaluator } from "../../../registry/contract/quota-evaluator.ts";

/** What quotas count of services. Upstream: pkg/quota/v1/evaluator/core/services.go. */
export const serviceQuota: QuotaEvaluator = {
  objectCountName: "services",
  chargesUpdateOf: "",
  matches: (name) => name === "services.nodeports" || name === "services.loadbalancers",
  usage: serviceUsage,
};

const one = parseQuantity("1");

function serviceUsage(service: KubeObject): ReadonlyMap<string, Quantity> {
  const spec = structAt(service, "spec");
  const type = textAt(spec, "type");
  const usage = new Map<string, Quantity>();
  if (type !== "NodePort" && type !== "LoadBalancer") return usage;
  const ports = listAt(spec, "ports");
  const areAllocated =
    type === "NodePort" ||
    valueAt(spec, "allocateLoadBalancerNodePorts") === undefined ||
    booleanAt(spec, "allocateLoadBalancerNodePorts");
  const counted = areAllocated ? ports : ports.filter((port) => numberAt(port, "nodePort") !== 0);
  usage.set("services.nodeports", parseQuantity(String(counted.length)));
  if (type === "LoadBalancer") usage.set("services.loadbalancers", one);
  return usage;
}
