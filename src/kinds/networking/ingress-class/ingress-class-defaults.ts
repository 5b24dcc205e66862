import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { ifSet, whenUnset } from "../../defaulting/defaulter.ts";

const parametersDefaults = ifSet("spec", ifSet("parameters", whenUnset({ scope: "Cluster" })));

/** IngressClass. Upstream: pkg/apis/networking/v1/defaults.go, SetDefaults_IngressClass. */
export function ingressClassDefaults(ingressClass: MutableJsonObject, gates: FeatureGates): void {
  if (gates.isEnabled("IngressClassNamespacedParams")) parametersDefaults(ingressClass);
}
