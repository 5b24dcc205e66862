import { type FieldError, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { numberAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { portNumberMessages } from "../../../apimachinery/validation/value-formats.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { isExternallyAccessible, needsHealthCheck } from "./service-fields.ts";

const policies: readonly string[] = ["Cluster", "Local"];
const close: readonly string[] = ["PreferClose"];
const sameOrClose: readonly string[] = ["PreferClose", "PreferSameNode", "PreferSameZone"];

/** Validates the external and internal traffic policies and the traffic distribution. */
export function trafficErrors(spec: JsonObject, gates: FeatureGates): readonly FieldError[] {
  return [
    ...externalPolicyErrors(spec),
    ...healthCheckErrors(spec),
    ...internalPolicyErrors(spec),
    ...distributionErrors(spec, gates),
  ];
}

function externalPolicyErrors(spec: JsonObject): readonly FieldError[] {
  const field = "spec.externalTrafficPolicy";
  const policy = textAt(spec, "externalTrafficPolicy");
  if (!isExternallyAccessible(spec)) {
    if (policy === "") return [];
    return [fieldInvalid(field, policy, "may only be set for externally-accessible services")];
  }
  return policies.includes(policy) ? [] : [fieldNotSupported(field, policy, policies)];
}

function healthCheckErrors(spec: JsonObject): readonly FieldError[] {
  const field = "spec.healthCheckNodePort";
  const port = numberAt(spec, "healthCheckNodePort");
  if (needsHealthCheck(spec)) {
    return portNumberMessages(port).map((message) => fieldInvalid(field, port, message));
  }
  if (port === 0) return [];
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [fieldInvalid(field, port, detail)];
}

function internalPolicyErrors(spec: JsonObject): readonly FieldError[] {
  const field = "spec.internalTrafficPolicy";
  const policy = spec["internalTrafficPolicy"];
  if (typeof policy !== "string") return [];
  return policies.includes(policy) ? [] : [fieldNotSupported(field, policy, policies)];
}

function distributionErrors(spec: JsonObject, gates: FeatureGates): readonly FieldError[] {
  const distribution = spec["trafficDistribution"];
  const distributions = gates.isEnabled("PreferSameTrafficDistribution") ? sameOrClose : close;
  if (typeof distribution !== "string" || distributions.includes(distribution)) return [];
  return [fieldNotSupported("spec.trafficDistribution", distribution, distributions)];
}
