import type { EndpointEnvironment } from "../contract/environment.ts";
import type { MetricFamily } from "../contract/metric-family.ts";

/**
 * How often declarative validation disagrees with the other one: here is one validation, so nothing is counted. What updates report
 * more than once is. Upstream: apiserver, pkg/validation/metrics.go.
 */
export function validationFamilies({
  repeatedErrors,
}: Pick<EndpointEnvironment, "repeatedErrors">): readonly MetricFamily[] {
  return [
    family(
      "declarative_validation_mismatch_total",
      "Number of times declarative validation results differed from handwritten validation results for core types.",
      0,
    ),
    family(
      "declarative_validation_panic_total",
      "Number of times declarative validation has panicked during validation.",
      0,
    ),
    family(
      "duplicate_validation_error_total",
      "Number of duplicate validation errors during validation.",
      repeatedErrors.count,
    ),
  ];
}

function family(name: string, help: string, count: number): MetricFamily {
  return { name: `apiserver_validation_${name}`, type: "counter", help, samples: new Map([["", count]]) };
}
