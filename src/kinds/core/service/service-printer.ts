import { listAt, numberAt, objectAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, formatLabels, nameOf, orNone } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";
import { loadBalancerAddresses } from "../../addresses/load-balancer-addresses.ts";

export const servicePrinter: Printer = {
  cells: (service, now) => [
    nameOf(service),
    textAt(service, "spec", "type"),
    orNone(textsAt(service, "spec", "clusterIPs")[0] ?? textAt(service, "spec", "clusterIP")),
    externalIp(service),
    orNone(listAt(service, "spec", "ports").map(servicePort).join(",")),
    ageOf(service, now),
    formatLabels(objectAt(service, "spec", "selector")),
  ],
};

function externalIp(service: KubeObject): string {
  const externalIps = textsAt(service, "spec", "externalIPs");
  switch (textAt(service, "spec", "type")) {
    case "ClusterIP":
    case "NodePort":
      return orNone(externalIps.join(","));
    case "LoadBalancer":
      return [...loadBalancerAddresses(service), ...externalIps].join(",") || "<pending>";
    case "ExternalName":
      return textAt(service, "spec", "externalName");
    default:
      return "<unknown>";
  }
}

function servicePort(port: JsonObject): string {
  const nodePort = numberAt(port, "nodePort");
  const ports = nodePort > 0 ? `${numberAt(port, "port")}:${nodePort}` : numberAt(port, "port");
  return `${ports}/${textAt(port, "protocol")}`;
}
