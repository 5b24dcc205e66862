import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
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

export function serviceDefaults(service: MutableJsonObject, gates: FeatureGates): void {
  defaultsOfAllReleases(service);
  for (const [gate, fill] of gatedDefaults) if (gates.isEnabled(gate)) fill(service);
}

const defaultsOfAllReleases: Defaulter = inStruct("spec", spec);

/** The defaults that a gate brought, with that gate. */
const gatedDefaults: readonly (readonly [gate: string, fill: Defaulter])[] = [
  ["ServiceInternalTrafficPolicy", inStruct("spec", internalTrafficPolicy)],
  ["ServiceLBNodePortControl", inStruct("spec", nodePortAllocation)],
  ["LoadBalancerIPMode", ingressModes],
];

/** Cluster IPs and node ports are allocated by the registry, not defaulted. */
function trafficPolicies(service: MutableJsonObject): void {
  const { type, externalIPs } = service;
  const isOpen = type === "LoadBalancer" || type === "NodePort";
  if (isOpen || (type === "ClusterIP" && !isZero(externalIPs))) {
    service["externalTrafficPolicy"] ||= "Cluster";
  }
}

function internalTrafficPolicy(service: MutableJsonObject): void {
  const { type } = service;
  const isRouted = type === "ClusterIP" || type === "NodePort" || type === "LoadBalancer";
  if (isRouted) service["internalTrafficPolicy"] ??= "Cluster";
}

function nodePortAllocation(service: MutableJsonObject): void {
  if (service["type"] === "LoadBalancer") service["allocateLoadBalancerNodePorts"] ??= true;
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
