import { fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { numberAt, textAt } from "../../../apimachinery/fields.ts";
import { plainValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dns1035LabelName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addMetadataErrors } from "../../../registry/contract/metadata-errors.ts";
import { shown } from "./service-cluster-ip-validation.ts";
import { clusterIpsOf, isHeadless, needsClusterIp, needsHealthCheck } from "./service-fields.ts";
import { familiesOf } from "./service-ip-families.ts";
import { addLoadBalancerClassErrors, addServiceErrors, specOf } from "./service-validation.ts";

const fixed = "may not change once set";

/** Validates an update of a service. Upstream: pkg/apis/core/validation/validation.go, ValidateServiceUpdate. */
export function addServiceUpdateErrors(
  errors: Findings,
  service: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  const spec = specOf(service, gates);
  const before = specOf(old, gates);
  const hasIps = needsClusterIp(spec) && needsClusterIp(before);
  if (hasIps) addClusterIpChangeErrors(errors, spec, before);
  if (hasIps) addFamilyChangeErrors(errors, spec, before);
  addClassChangeErrors(errors, spec, before);
  addLoadBalancerClassErrors(errors, spec);
  addHealthCheckChangeErrors(errors, spec, before);
  addMetadataErrors(errors, service, { namespaced: true, validateName: dns1035LabelName });
  addServiceErrors(errors, service, gates, old);
}

/**
 * The first address is immutable. The second can only be removed by a change to single stack, which is checked before.
 */
function addClusterIpChangeErrors(errors: Findings, spec: JsonObject, old: JsonObject): void {
  if (isHeadless(spec) && isHeadless(old)) return;
  const ips = clusterIpsOf(spec);
  const before = clusterIpsOf(old);
  const change = (i: number) => fieldInvalid(`spec.clusterIPs[${i}]`, shown(ips), fixed);
  if (ips.length === before.length) {
    for (const [i, ip] of before.entries()) {
      if (ip !== ips[i]) errors.push(change(i));
    }
  } else if (before.length > 0 && ips[0] !== before[0]) errors.push(change(0));
}

function addFamilyChangeErrors(errors: Findings, spec: JsonObject, old: JsonObject): void {
  if (isHeadless(spec) || isHeadless(old)) return;
  const families = familiesOf(spec);
  const before = familiesOf(old);
  const field = "spec.ipFamilies[0]";
  if (families.length === before.length) {
    for (const [i, family] of before.entries()) {
      if (family === families[i]) continue;
      errors.push(fieldInvalid(field, plainValue("[]core.IPFamily", families), fixed));
    }
    return;
  }
  if (families.length === 0 || before.length === 0 || families[0] === before[0]) return;
  // Upstream shows the addresses in this error.
  errors.push(fieldInvalid(field, shown(clusterIpsOf(spec)), fixed));
}

function addClassChangeErrors(errors: Findings, spec: JsonObject, old: JsonObject): void {
  const areBalanced = [spec, old].every((each) => textAt(each, "type") === "LoadBalancer");
  if (!areBalanced || spec["loadBalancerClass"] === old["loadBalancerClass"]) return;
  errors.push(fieldInvalid("spec.loadBalancerClass", spec["loadBalancerClass"], fixed));
}

function addHealthCheckChangeErrors(errors: Findings, spec: JsonObject, old: JsonObject): void {
  const field = "healthCheckNodePort";
  if (!needsHealthCheck(spec) || !needsHealthCheck(old)) return;
  if (numberAt(spec, field) === numberAt(old, field)) return;
  errors.push(fieldForbidden(`spec.${field}`, "field is immutable"));
}
