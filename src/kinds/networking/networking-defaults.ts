import type { MutableJsonObject } from "../../apimachinery/json.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { type Defaulter, each, ifSet, inStruct, isZero, whenUnset } from "../defaulting/defaulter.ts";

const tcpPorts = each("ports", whenUnset({ protocol: "TCP" }));

/** NetworkPolicy */
export const networkPolicyDefaults: Defaulter = inStruct(
  "spec",
  policyTypes,
  each("ingress", tcpPorts),
  each("egress", tcpPorts),
);

/** IngressClass */
export function ingressClassDefaults(ingressClass: MutableJsonObject, gates: FeatureGates): void {
  if (gates.isEnabled("IngressClassNamespacedParams")) clusterParameters(ingressClass);
}

const clusterParameters = ifSet("spec", ifSet("parameters", whenUnset({ scope: "Cluster" })));

/** Ingress of the beta versions; networking.k8s.io/v1 asks for the type of a path. */
export const betaIngressDefaults: Defaulter = ifSet(
  "spec",
  each("rules", ifSet("http", each("paths", whenUnset({ pathType: "ImplementationSpecific" })))),
);

/** EndpointSlice */
export const endpointSliceDefaults: Defaulter = each("ports", whenUnset({ name: "", protocol: "TCP" }));

function policyTypes(spec: MutableJsonObject): void {
  if (!isZero(spec["policyTypes"])) return;
  spec["policyTypes"] = isZero(spec["egress"]) ? ["Ingress"] : ["Ingress", "Egress"];
}
