import { fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { numberAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { portNumberMessages } from "../../../apimachinery/validation/value-formats.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { isExternallyAccessible, needsHealthCheck } from "./service-fields.ts";

const policies: readonly string[] = ["Cluster", "Local"];
const close: readonly string[] = ["PreferClose"];
const sameOrClose: readonly string[] = ["PreferClose", "PreferSameNode", "PreferSameZone"];

/** Validates the external and internal traffic policies and the traffic distribution. */
export function addTrafficErrors(errors: Findings, spec: JsonObject, gates: FeatureGates): void {
  addExternalPolicyErrors(errors, spec);
  addHealthCheckErrors(errors, spec);
  addInternalPolicyErrors(errors, spec);
  addDistributionErrors(errors, spec, gates);
}

function addExternalPolicyErrors(errors: Findings, spec: JsonObject): void {
  const field = "spec.externalTrafficPolicy";
  const policy = textAt(spec, "externalTrafficPolicy");
  if (!isExternallyAccessible(spec)) {
    if (policy === "") return;
    errors.push(fieldInvalid(field, policy, "may only be set for externally-accessible services"));
    return;
  }
  if (!policies.includes(policy)) errors.push(fieldNotSupported(field, policy, policies));
}

function addHealthCheckErrors(errors: Findings, spec: JsonObject): void {
  const field = "spec.healthCheckNodePort";
  const port = numberAt(spec, "healthCheckNodePort");
  if (needsHealthCheck(spec)) {
    addInvalid(errors, field, port, portNumberMessages(port));
    return;
  }
  if (port === 0) return;
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  errors.push(fieldInvalid(field, port, detail));
}

function addInternalPolicyErrors(errors: Findings, spec: JsonObject): void {
  const field = "spec.internalTrafficPolicy";
  const policy = spec["internalTrafficPolicy"];
  if (typeof policy !== "string") return;
  if (!policies.includes(policy)) errors.push(fieldNotSupported(field, policy, policies));
}

function addDistributionErrors(errors: Findings, spec: JsonObject, gates: FeatureGates): void {
  const distribution = spec["trafficDistribution"];
  const distributions = gates.isEnabled("PreferSameTrafficDistribution") ? sameOrClose : close;
  if (typeof distribution !== "string" || distributions.includes(distribution)) return;
  errors.push(fieldNotSupported("spec.trafficDistribution", distribution, distributions));
}
