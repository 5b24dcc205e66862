import type { MutableJsonObject } from "../../../apimachinery/json.ts";
import { type Defaulter, each, inStruct, isZero, whenUnset } from "../../defaulting/defaulter.ts";

const protocolDefaults = each("ports", whenUnset({ protocol: "TCP" }));

/** NetworkPolicy. Upstream: pkg/apis/networking/v1/defaults.go, SetDefaults_NetworkPolicy. */
export const networkPolicyDefaults: Defaulter = inStruct(
  "spec",
  policyTypes,
  each("ingress", protocolDefaults),
  each("egress", protocolDefaults),
);

function policyTypes(spec: MutableJsonObject): void {
  if (!isZero(spec["policyTypes"])) return;
  spec["policyTypes"] = isZero(spec["egress"]) ? ["Ingress"] : ["Ingress", "Egress"];
}
