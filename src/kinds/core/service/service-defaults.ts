import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import {
  all,
  type Defaulter,
  each,
  ifSet,
  inStruct,
  isZero,
  sentStruct,
  whenZero,
} from "../../defaulting/defaulter.ts";

const servicePort = all(whenZero({ protocol: "TCP" }), (port) => {
  if (isZero(port["targetPort"])) port["targetPort"] = port["port"] ?? 0;
});

const spec = all(
  whenZero({ sessionAffinity: "None", type: "ClusterIP" }),
  sessionAffinityConfig,
  each("ports", servicePort),
  trafficPolicies,
);

export const serviceDefaults: Defaulter = all(inStruct("spec", spec), ingressModes);

/** Cluster IPs and node ports are allocated by the registry, not defaulted. */
function trafficPolicies(service: MutableJsonObject): void {
  const { type, externalIPs } = service;
  const isBalanced = type === "LoadBalancer";
  const isOpen = isBalanced || type === "NodePort";
  if (isOpen || (type === "ClusterIP" && !isZero(externalIPs))) {
    service["externalTrafficPolicy"] ||= "Cluster";
  }
  if (isOpen || type === "ClusterIP") service["internalTrafficPolicy"] ??= "Cluster";
  if (isBalanced) service["allocateLoadBalancerNodePorts"] ??= true;
}

function sessionAffinityConfig(service: MutableJsonObject): void {
  const { sessionAffinity } = service;
  if (sessionAffinity === "None") delete service["sessionAffinityConfig"];
  if (sessionAffinity !== "ClientIP") return;
  const config = sentStruct(service, "sessionAffinityConfig");
  const timeout = config && sentStruct(config, "clientIP")?.["timeoutSeconds"];
  if (timeout === undefined) service["sessionAffinityConfig"] = { clientIP: { timeoutSeconds: 10_800 } };
}

const virtualIps = ifSet(
  "status",
  ifSet(
    "loadBalancer",
    each("ingress", (ingress) => {
      if (ingress["ip"]) ingress["ipMode"] ??= "VIP";
    }),
  ),
);

function ingressModes(service: MutableJsonObject): void {
  if (sentStruct(service, "spec")?.["type"] === "LoadBalancer") virtualIps(service);
}
