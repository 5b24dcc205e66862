import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { plainValue } from "../../../apimachinery/go/go-value.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addSctpErrors, type PortList } from "../../addresses/sctp-errors.ts";

/** Refuses protocols whose gate is off. Upstream: pkg/apis/core/validation/conditional_validation.go, since 1.20. */
export function addServiceProtocolErrors(
  errors: Findings,
  service: KubeObject,
  old: KubeObject | undefined,
  gates: FeatureGates,
): void {
  addSctpErrors(errors, portsOf(service), old === undefined ? [] : portsOf(old), gates);
  if (!gates.isEnabled("MixedProtocolLBService")) addMixtureError(errors, service, old, gates);
}

/** Until 1.19, an update validates the mixture again even if the service has it already. */
function addMixtureError(
  errors: Findings,
  service: KubeObject,
  old: KubeObject | undefined,
  { since }: FeatureGates,
): void {
  if (textAt(structAt(service, "spec"), "type") !== "LoadBalancer" || !mixesProtocols(service)) return;
  if (since("1.20") && old !== undefined && mixesProtocols(old)) return;
  const detail = since("1.20")
    ? "may not contain more than 1 protocol when type is 'LoadBalancer'"
    : "cannot create an external load balancer with mix protocols";
  const ports = structAt(service, "spec")["ports"];
  errors.push(fieldInvalid("spec.ports", plainValue("[]core.ServicePort", ports), detail));
}

function portsOf(service: KubeObject): readonly PortList[] {
  return [[structAt(service, "spec"), "spec.ports"]];
}

function mixesProtocols(service: KubeObject): boolean {
  return new Set(listAt(structAt(service, "spec"), "ports").map((port) => textAt(port, "protocol"))).size > 1;
}
