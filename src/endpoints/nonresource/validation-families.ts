import type { MetricFamily } from "../contract/metric-family.ts";

/**
 * How often declarative validation disagrees with the other one. Here is one validation, so nothing is counted. Upstream: apiserver,
 * pkg/validation/metrics.go.
 */
export const validationFamilies: readonly MetricFamily[] = (
  [
    [
      "declarative_validation_mismatch_total",
      "Number of times declarative validation results differed from handwritten validation results for core types.",
    ],
    [
      "declarative_validation_panic_total",
      "Number of times declarative validation has panicked during validation.",
    ],
    ["duplicate_validation_error_total", "Number of duplicate validation errors during validation."],
  ] as const
).map(([name, help]) => ({
  name: `apiserver_validation_${name}`,
  type: "counter",
  help,
  samples: new Map([["", 0]]),
}));
