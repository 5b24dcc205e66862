import { type FieldError, fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { numberAt, textAt } from "../../../apimachinery/fields.ts";
import { plainValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { dns1035LabelName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { metadataErrors } from "../../../registry/contract/metadata-errors.ts";
import { shown } from "./service-cluster-ip-validation.ts";
import { clusterIpsOf, isHeadless, needsClusterIp, needsHealthCheck } from "./service-fields.ts";
import { familiesOf } from "./service-ip-families.ts";
import { loadBalancerClassErrors, serviceErrors, specOf } from "./service-validation.ts";

const fixed = "may not change once set";

/** Validates an update of a service. Upstream: pkg/apis/core/validation/validation.go, ValidateServiceUpdate. */
export function serviceUpdateErrors(
  service: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): readonly FieldError[] {
  const spec = specOf(service, gates);
  const before = specOf(old, gates);
  const hasIps = needsClusterIp(spec) && needsClusterIp(before);
  return [
    ...(hasIps ? clusterIpChangeErrors(spec, before) : []),
    ...(hasIps ? familyChangeErrors(spec, before) : []),
    ...classChangeErrors(spec, before),
    ...loadBalancerClassErrors(spec),
    ...healthCheckChangeErrors(spec, before),
    ...metadataErrors(service, { namespaced: true, validateName: dns1035LabelName }),
    ...serviceErrors(service, gates),
  ];
}

/**
 * The first address is immutable. The second can only be removed by a change to single stack, which is checked before.
 */
function clusterIpChangeErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (isHeadless(spec) && isHeadless(old)) return [];
  const ips = clusterIpsOf(spec);
  const before = clusterIpsOf(old);
  const change = (i: number) => fieldInvalid(`spec.clusterIPs[${i}]`, shown(ips), fixed);
  if (ips.length === before.length) {
    return before.flatMap((ip, i) => (ip === ips[i] ? [] : [change(i)]));
  }
  return before.length > 0 && ips[0] !== before[0] ? [change(0)] : [];
}

function familyChangeErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (isHeadless(spec) || isHeadless(old)) return [];
  const families = familiesOf(spec);
  const before = familiesOf(old);
  const field = "spec.ipFamilies[0]";
  if (families.length === before.length) {
    const changes = before.filter((family, i) => family !== families[i]);
    return changes.map(() => fieldInvalid(field, plainValue("[]core.IPFamily", families), fixed));
  }
  if (families.length === 0 || before.length === 0 || families[0] === before[0]) return [];
  // Upstream shows the addresses in this error.
  return [fieldInvalid(field, shown(clusterIpsOf(spec)), fixed)];
}

function classChangeErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const areBalanced = [spec, old].every((each) => textAt(each, "type") === "LoadBalancer");
  if (!areBalanced || spec["loadBalancerClass"] === old["loadBalancerClass"]) return [];
  return [fieldInvalid("spec.loadBalancerClass", spec["loadBalancerClass"], fixed)];
}

function healthCheckChangeErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const field = "healthCheckNodePort";
  if (!needsHealthCheck(spec) || !needsHealthCheck(old)) return [];
  if (numberAt(spec, field) === numberAt(old, field)) return [];
  return [fieldForbidden(`spec.${field}`, "field is immutable")];
}
