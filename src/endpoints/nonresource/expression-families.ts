import type { EndpointEnvironment } from "../contract/environment.ts";
import type { MetricFamily } from "../contract/metric-family.ts";

/** The metrics of rules in CEL. Upstream: apiserver, pkg/cel/metrics/metrics.go; it describes them since 1.27. */
export function expressionFamilies({
  expressionMetrics,
  gates,
}: EndpointEnvironment): readonly MetricFamily[] {
  const described = (help: string): string => (gates.since("1.27") ? help : "");
  return [
    {
      name: "apiserver_cel_compilation_duration_seconds",
      type: "histogram",
      help: described("CEL compilation time in seconds."),
      histogram: expressionMetrics.compilations,
    },
    {
      name: "apiserver_cel_evaluation_duration_seconds",
      type: "histogram",
      help: described("CEL evaluation time in seconds."),
      histogram: expressionMetrics.evaluations,
    },
  ];
}
