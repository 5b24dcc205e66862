import { fieldForbidden, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addressRules, balancerAddresses } from "../../addresses/address-rules.ts";
import { addBalancerHostnameErrors, addIpErrors } from "../../addresses/address-validation.ts";

const field = "status.loadBalancer.ingress";
const ipModes: readonly string[] = ["Proxy", "VIP"];

/**
 * Validates the load balancer status of a service. Upstream: pkg/apis/core/validation/validation.go,
 * ValidateLoadBalancerStatus.
 */
export function addServiceStatusErrors(
  errors: Findings,
  service: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  const ingress = listAt(structAt(service, "status"), "loadBalancer", "ingress");
  const rules = addressRules(gates, balancerAddresses(old));
  const isChecked = gates.since("1.29") && !gates.isEnabled("AllowServiceLBStatusOnNonLB");
  if (isChecked && textAt(structAt(service, "spec"), "type") !== "LoadBalancer" && ingress.length > 0) {
    errors.push(fieldForbidden(field, "may only be used when `spec.type` is 'LoadBalancer'"));
  } else {
    for (const [i, point] of ingress.entries()) {
      if (textAt(point, "ip") !== "") addIpErrors(errors, textAt(point, "ip"), `${field}[${i}].ip`, rules);
      addIpModeErrors(errors, point, `${field}[${i}].ipMode`, gates);
      addBalancerHostnameErrors(errors, textAt(point, "hostname"), `${field}[${i}].hostname`);
    }
  }
}

function addIpModeErrors(errors: Findings, point: JsonObject, path: string, gates: FeatureGates): void {
  const mode = point["ipMode"];
  const hasIp = textAt(point, "ip") !== "";
  if (typeof mode !== "string") {
    if (hasIp && gates.isEnabled("LoadBalancerIPMode")) {
      errors.push(fieldRequired(path, "must be specified when `ip` is set"));
    }
  } else if (!hasIp) errors.push(fieldForbidden(path, "may not be specified when `ip` is not set"));
  else if (!ipModes.includes(mode)) errors.push(fieldNotSupported(path, mode, ipModes));
}
