import { listAt, textAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { compareText } from "../../apimachinery/text-order.ts";

/** The addresses of the load balancer of a Service or an Ingress: sorted, each once. */
export function loadBalancerAddresses(object: KubeObject): readonly string[] {
  const ingress = listAt(object, "status", "loadBalancer", "ingress");
  const addresses = new Set(ingress.map((point) => textAt(point, "ip") || textAt(point, "hostname")));
  addresses.delete("");
  return [...addresses].sort(compareText);
}
