import {
  type FieldError,
  fieldForbidden,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { balancerHostnameErrors, ipErrors } from "../../addresses/address-validation.ts";

const field = "status.loadBalancer.ingress";
const ipModes: readonly string[] = ["Proxy", "VIP"];

/**
 * Validates the load balancer status of a service. Upstream: pkg/apis/core/validation/validation.go,
 * ValidateLoadBalancerStatus.
 */
export function serviceStatusErrors(service: KubeObject, gates: FeatureGates): readonly FieldError[] {
  const ingress = listAt(structAt(service, "status"), "loadBalancer", "ingress");
  if (textAt(structAt(service, "spec"), "type") !== "LoadBalancer" && ingress.length > 0) {
    return [fieldForbidden(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return ingress.flatMap((point, i) => [
    ...(textAt(point, "ip") === "" ? [] : ipErrors(textAt(point, "ip"), `${field}[${i}].ip`)),
    ...ipModeErrors(point, `${field}[${i}].ipMode`, gates),
    ...balancerHostnameErrors(textAt(point, "hostname"), `${field}[${i}].hostname`),
  ]);
}

function ipModeErrors(point: JsonObject, path: string, gates: FeatureGates): readonly FieldError[] {
  const mode = point["ipMode"];
  const hasIp = textAt(point, "ip") !== "";
  if (typeof mode !== "string") {
    return hasIp && gates.isEnabled("LoadBalancerIPMode")
      ? [fieldRequired(path, "must be specified when `ip` is set")]
      : [];
  }
  if (!hasIp) return [fieldForbidden(path, "may not be specified when `ip` is not set")];
  return ipModes.includes(mode) ? [] : [fieldNotSupported(path, mode, ipModes)];
}
