import { listAt, structAt } from "../../../apimachinery/fields.ts";
import { withPreparation } from "../../../registry/contract/default-strategy.ts";
import { withoutGatedFields } from "../../../registry/contract/gated-fields.ts";
import type { StrategyFacts } from "../../../registry/contract/registry-options.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import { podGroupTemplateFields } from "../pod-group-template-fields.ts";
import { addEarlyWorkloadErrors, addEarlyWorkloadUpdateErrors } from "./early-workload-validation.ts";
import { addWorkloadErrors, addWorkloadUpdateErrors } from "./workload-validation.ts";

/** The strategy of Workloads. A template keeps the fields that the old one at its index has. */
export function workloadStrategy(base: Strategy, { gates }: StrategyFacts): Strategy {
  const isListOfTemplates = gates.since("1.36");
  const strategy: Strategy = {
    ...base,
    validate: isListOfTemplates
      ? (errors, workload) => addWorkloadErrors(errors, workload, gates)
      : addEarlyWorkloadErrors,
    validateUpdate: isListOfTemplates ? addWorkloadUpdateErrors : addEarlyWorkloadUpdateErrors,
  };
  return withPreparation(strategy, (workload, old) => {
    const before = old === undefined ? [] : listAt(old, "spec", "podGroupTemplates");
    const templates = listAt(workload, "spec", "podGroupTemplates");
    const kept = templates.map((template, i) =>
      withoutGatedFields(template, before[i], gates, podGroupTemplateFields),
    );
    if (kept.every((template, i) => template === templates[i])) return;
    workload["spec"] = { ...structAt(workload, "spec"), podGroupTemplates: kept };
  });
}
