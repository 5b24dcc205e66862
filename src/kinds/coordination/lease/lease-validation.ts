import { fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { integerAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { addElectionStrategyErrors } from "../election/election-strategy.ts";

/** Adds the errors in a Lease. Upstream: pkg/apis/coordination/validation/validation.go, ValidateLeaseSpec. */
export function addLeaseErrors(errors: Findings, lease: KubeObject): void {
  const spec = structAt(lease, "spec");
  const seconds = integerAt(spec, "leaseDurationSeconds");
  const transitions = integerAt(spec, "leaseTransitions");
  if (spec["leaseDurationSeconds"] !== undefined && seconds <= 0) {
    errors.push(fieldInvalid("spec.leaseDurationSeconds", seconds, "must be greater than 0"));
  }
  if (transitions < 0) {
    errors.push(fieldInvalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0"));
  }
  const strategy = spec["strategy"];
  if (typeof strategy === "string") addElectionStrategyErrors(errors, strategy, "spec.strategy");
  if (textAt(spec, "preferredHolder") !== "" && textAt(spec, "strategy") === "") {
    const detail = "may only be specified if `strategy` is defined";
    errors.push(fieldForbidden("spec.preferredHolder", detail));
  }
}
