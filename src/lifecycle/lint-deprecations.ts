import { checkOptions, type OptionType } from "../apimachinery/option-checks.ts";
import type { DeprecationFinding } from "./deprecation-finding.ts";
import { addApiFindings, type LintedApi } from "./lint-api.ts";
import {
  addBehaviorFindings,
  addFlagFindings,
  defaultComponent,
  type LintedBehavior,
  type LintedFlag,
} from "./lint-elements.ts";
import { addGateFindings, type LintedGate } from "./lint-gate.ts";
import { addMetricFindings, type LintedMetric } from "./lint-metric.ts";

/** What a project plans to introduce, deprecate and remove, by release of Kubernetes. */
export interface DeprecationPlan {
  readonly apis?: readonly LintedApi[];
  readonly flags?: readonly LintedFlag[];
  readonly behaviors?: readonly LintedBehavior[];
  readonly featureGates?: readonly LintedGate[];
  readonly metrics?: readonly LintedMetric[];
}

const list: OptionType = { accepts: "a list", isValid: (value) => Array.isArray(value) };

const planOptionTypes: { readonly [option in keyof Required<DeprecationPlan>]: OptionType } = {
  apis: list,
  flags: list,
  behaviors: list,
  featureGates: list,
  metrics: list,
};

/**
 * What a plan breaks of Kubernetes' deprecation policy: the number of the rule, and the earliest release that it would allow.
 * @throws {Error} for a plan that is no plan: unknown members and releases, and lives that contradict themselves
 */
export function lintDeprecations(plan: DeprecationPlan): readonly DeprecationFinding[] {
  checkOptions("lintDeprecations", plan, planOptionTypes);
  const findings: DeprecationFinding[] = [];
  const { apis = [], flags = [], behaviors = [], featureGates = [], metrics = [] } = plan;
  for (const [index, api] of apis.entries()) addApiFindings(findings, api, `apis[${index}]`);
  for (const [index, flag] of flags.entries()) addFlagFindings(findings, flag, `flags[${index}]`);
  for (const [index, one] of behaviors.entries()) addBehaviorFindings(findings, one, `behaviors[${index}]`);
  for (const [index, gate] of featureGates.entries())
    addGateFindings(findings, gate, `featureGates[${index}]`);
  for (const [index, metric] of metrics.entries()) addMetricFindings(findings, metric, `metrics[${index}]`);
  checkRepeats("apis", apis, ({ group, kind = "" }) => `${group} ${kind}`.trim());
  checkRepeats("flags", flags, ({ name, component = defaultComponent }) => `${name} of ${component}`);
  for (const [what, named] of Object.entries({ behaviors, featureGates, metrics }))
    checkRepeats(what, named, ({ name }) => name);
  return findings;
}

/** Two lives of one thing contradict each other. @throws {Error} */
function checkRepeats<T>(list: string, entries: readonly T[], nameOf: (entry: T) => string): void {
  const seen = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const name = nameOf(entry);
    const first = seen.get(name);
    if (first !== undefined) throw new Error(`${list}[${index}]: ${name} is already in ${list}[${first}]`);
    seen.set(name, index);
  }
}
