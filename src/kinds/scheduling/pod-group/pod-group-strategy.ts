import { listAt, structAt } from "../../../apimachinery/fields.ts";
import { withPreparation } from "../../../registry/contract/default-strategy.ts";
import {
  type GatedFields,
  gatedField,
  withGatedFields,
  withoutGatedFields,
} from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { statusOnlyStrategy } from "../../../registry/subresources/status-metadata.ts";
import { podGroupTemplateFields } from "../pod-group-template-fields.ts";
import { podGroupSpecDefaults } from "./pod-group-defaults.ts";
import {
  addPodGroupErrors,
  addPodGroupStatusErrors,
  addPodGroupUpdateErrors,
} from "./pod-group-validation.ts";

/** The strategy of PodGroups. */
export function podGroupStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const strategy: Strategy = {
    ...base,
    validate: (errors, podGroup) => addPodGroupErrors(errors, podGroup, gates),
    validateUpdate: (errors, podGroup, old) => addPodGroupUpdateErrors(errors, podGroup, old, gates),
  };
  return withPreparation(strategy, (podGroup, old) => {
    const spec = structAt(podGroup, "spec");
    const kept = withoutGatedFields(spec, old && structAt(old, "spec"), gates, podGroupTemplateFields);
    // A field that is dropped has its default when the object is read, so the old object always uses it.
    if (kept !== spec) podGroup["spec"] = { ...podGroupSpecDefaults, ...kept };
  });
}

const gatedStatusFields: readonly GatedFields[] = [
  {
    ...gatedField("DRAWorkloadResourceClaims", "status", "resourceClaimStatuses"),
    isInUse: (old) => listAt(old, "spec", "resourceClaims").length > 0,
  },
];

export function podGroupStatusStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const status: Strategy = { ...statusOnlyStrategy(base), validateUpdate: addPodGroupStatusErrors };
  return withGatedFields(status, gates, gatedStatusFields);
}
