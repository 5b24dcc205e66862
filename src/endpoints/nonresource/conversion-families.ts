import type { EndpointEnvironment } from "../contract/environment.ts";
import { countsOf, type MetricFamily } from "../contract/metric-family.ts";

/** The metrics of conversion webhooks. Upstream: apiextensions-apiserver, pkg/apiserver/conversion/metrics.go. */
export function conversionFamilies({
  conversionMetrics,
  gates,
}: EndpointEnvironment): readonly MetricFamily[] {
  const { conversions, requests } = conversionMetrics;
  const isRenamed = gates.since("1.28");
  const durations: MetricFamily = {
    name: `apiserver_crd_${isRenamed ? "conversion_webhook" : "webhook_conversion"}_duration_seconds`,
    type: "histogram",
    help: "CRD webhook conversion duration in seconds",
    histogram: conversions,
  };
  if (!isRenamed) return [durations];
  return [
    {
      name: "apiserver_conversion_webhook_duration_seconds",
      type: "histogram",
      help: "Conversion webhook request latency",
      histogram: requests,
    },
    {
      name: "apiserver_conversion_webhook_request_total",
      type: "counter",
      help: "Counter for conversion webhook requests with success/failure and failure error type",
      samples: countsOf(requests),
    },
    durations,
  ];
}
