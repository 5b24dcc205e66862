import { type FieldError, fieldForbidden, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { integerAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { electionStrategyErrors } from "../election/election-strategy.ts";

/** The fields behind the feature gate CoordinatedLeaderElection. */
const gated = ["strategy", "preferredHolder"] as const;

/** The strategy of Leases. */
export function leaseStrategy(base: Strategy, { gates }: StrategyEnvironment): Strategy {
  const isCoordinated = gates.isEnabled("CoordinatedLeaderElection");
  const prepare = (lease: MutableKubeObject, old: KubeObject | undefined) => {
    if (!isCoordinated) dropGated(lease, old);
  };
  return {
    ...base,
    metadataChecks: { create: "library", update: "library" },
    prepareForCreate: (lease) => prepare(lease, undefined),
    prepareForUpdate: prepare,
    validate: leaseErrors,
    validateUpdate: leaseErrors,
  };
}

/** Drops the gated fields unless the old object sets them. */
function dropGated(lease: MutableKubeObject, old: KubeObject | undefined): void {
  const spec = { ...structAt(lease, "spec") };
  const before = old === undefined ? {} : structAt(old, "spec");
  const dropped = gated.filter((field) => spec[field] !== undefined && before[field] === undefined);
  if (dropped.length === 0) return;
  for (const field of dropped) delete spec[field];
  lease["spec"] = spec;
}

function leaseErrors(lease: KubeObject): readonly FieldError[] {
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
