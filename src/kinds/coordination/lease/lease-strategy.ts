import { structAt } from "../../../apimachinery/fields.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import type { StrategyEnvironment } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { addLeaseErrors } from "./lease-validation.ts";

/** The fields behind the feature gate CoordinatedLeaderElection. */
const gatedFields = ["strategy", "preferredHolder"] as const;

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
    validate: addLeaseErrors,
    validateUpdate: addLeaseErrors,
  };
}

/** Drops the gatedFields fields unless the old object sets them. */
function dropGated(lease: MutableKubeObject, old: KubeObject | undefined): void {
  const spec = { ...structAt(lease, "spec") };
  const before = old === undefined ? {} : structAt(old, "spec");
  const dropped = gatedFields.filter((field) => spec[field] !== undefined && before[field] === undefined);
  if (dropped.length === 0) return;
  for (const field of dropped) delete spec[field];
  lease["spec"] = spec;
}
