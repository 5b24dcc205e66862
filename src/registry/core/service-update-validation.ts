import { type FieldError, fieldForbidden, fieldInvalid } from "../../apimachinery/field.ts";
import { numberAt, textAt } from "../../apimachinery/fields.ts";
import { type GoValue, go } from "../../apimachinery/go-value.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { dns1035LabelName } from "../../apimachinery/names.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { metadataErrors } from "../metadata-errors.ts";
import { shown } from "./service-cluster-ip-validation.ts";
import { clusterIpsOf, isHeadless, needsClusterIp, needsHealthCheck } from "./service-fields.ts";
import { familiesOf } from "./service-ip-families.ts";
import { loadBalancerClassErrors, serviceErrors, specOf } from "./service-validation.ts";

const fixed = "may not change once set";
const policyField = "spec.ipFamilyPolicy";

/** What is wrong with a changed service, after the order of upstream's `ValidateServiceUpdate`. */
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

/** The first address stays; the second may come, and may go when one stack is asked for. */
function clusterIpChangeErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (isHeadless(spec) && isHeadless(old)) return [];
  const ips = clusterIpsOf(spec);
  const before = clusterIpsOf(old);
  const change = (i: number) => fieldInvalid(`spec.clusterIPs[${i}]`, shown(ips), fixed);
  if (ips.length === before.length) {
    return before.flatMap((ip, i) => (ip === ips[i] ? [] : [change(i)]));
  }
  const errors: FieldError[] = [];
  if (ips.length === 0) {
    errors.push(fieldInvalid("spec.clusterIPs[0]", shown(ips), "primary clusterIP can not be unset"));
  } else if (before.length > 0 && ips[0] !== before[0]) errors.push(change(0));
  if (ips.length === 1 && before.length > 1) errors.push(...notSingleErrors(spec, "secondary clusterIP"));
  return errors;
}

function familyChangeErrors(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (isHeadless(spec) || isHeadless(old)) return [];
  const families = familiesOf(spec);
  const before = familiesOf(old);
  const field = "spec.ipFamilies[0]";
  if (families.length === before.length) {
    const changes = before.filter((family, i) => family !== families[i]);
    return changes.map(() => fieldInvalid(field, shownFamilies(families), fixed));
  }
  const isReduced = families.length < before.length;
  const errors: FieldError[] = [];
  if (isReduced && clusterIpsOf(spec).length === 0) {
    errors.push(fieldInvalid(field, shownFamilies(families), "primary ipFamily can not be unset"));
  }
  if (families.length > 0 && before.length > 0 && families[0] !== before[0]) {
    // Upstream shows the addresses here.
    errors.push(fieldInvalid(field, shown(clusterIpsOf(spec)), fixed));
  }
  if (isReduced && families.length === 1) errors.push(...notSingleErrors(spec, "secondary ipFamily"));
  return errors;
}

function notSingleErrors(spec: JsonObject, released: string): readonly FieldError[] {
  const policy = spec["ipFamilyPolicy"];
  if (policy === "SingleStack") return [];
  return [fieldInvalid(policyField, policy, `must be set to 'SingleStack' when releasing the ${released}`)];
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

function shownFamilies(families: readonly string[]): GoValue {
  if (families.length === 0) return go.nil("[]core.IPFamily");
  return go.slice("core.IPFamily", families);
}
