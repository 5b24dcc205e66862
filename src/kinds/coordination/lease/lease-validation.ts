import { type FieldError, fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { integerAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { electionStrategyErrors } from "../election/election-strategy.ts";

/** The errors in a Lease. Upstream: pkg/apis/coordination/validation/validation.go, ValidateLeaseSpec. */
export function leaseErrors(lease: KubeObject): readonly FieldError[] {
  const spec = structAt(lease, "spec");
  const errors: FieldError[] = [];
  const seconds = integerAt(spec, "leaseDurationSeconds");
  const transitions = integerAt(spec, "leaseTransitions");
  if (spec["leaseDurationSeconds"] !== undefined && seconds <= 0) {
    errors.push(fieldInvalid("spec.leaseDurationSeconds", seconds, "must be greater than 0"));
  }
  if (transitions < 0) {
    errors.push(fieldInvalid("spec.leaseTransitions", transitions, "must be greater than or equal to 0"));
  }
  const strategy = spec["strategy"];
  if (typeof strategy === "string") errors.push(...electionStrategyErrors(strategy, "spec.strategy"));
  if (textAt(spec, "preferredHolder") !== "" && textAt(spec, "strategy") === "") {
    const detail = "may only be specified if `strategy` is defined";
    errors.push(fieldForbidden("spec.preferredHolder", detail));
  }
  return errors;
}
