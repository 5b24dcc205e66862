export type { Timeline, TimelineOptions, VersionByRelease, VersionLife } from "./api-timeline.ts";
export { type ApiOptions, createApi, type DeclaredApi } from "./declared-api.ts";
export type { DeprecationFinding, DeprecationRule, Replacement } from "./deprecation-finding.ts";
export type { LintedApi } from "./lint-api.ts";
export { type DeprecationPlan, lintDeprecations } from "./lint-deprecations.ts";
export type { LintedBehavior, LintedFlag } from "./lint-elements.ts";
export type { FieldLife, VersionFields } from "./lint-fields.ts";
export type { LintedGate } from "./lint-gate.ts";
export type { LintedMetric } from "./lint-metric.ts";
