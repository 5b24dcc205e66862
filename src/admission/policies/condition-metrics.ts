import type { AdmissionOperation } from "../contract/admission.ts";
import type { AdmissionMetrics } from "../contract/admission-metrics.ts";
import type { MatchResult } from "../expressions/match-conditions.ts";

/** Counts the match conditions of a policy. Upstream labels those of mutating policies `validate` too (mutating/compilation.go). */
export function countConditions(
  metrics: AdmissionMetrics,
  name: string,
  operation: AdmissionOperation,
  { failures }: MatchResult,
  exclusions: 0 | 1,
): void {
  const labels = { name, kind: "policy", type: "validate", operation };
  metrics.observe("match_condition_evaluation_seconds", labels, 0);
  for (let i = 0; i < failures; i += 1) metrics.count("match_condition_evaluation_errors_total", labels);
  if (exclusions === 1) metrics.count("match_condition_exclusions_total", labels);
}
