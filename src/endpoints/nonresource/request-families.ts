import type { Since } from "../../apimachinery/release.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { MetricFamily } from "../contract/metric-family.ts";

const longRunningHelp =
  "Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.";

function totalHelp(since: Since): string {
  const labels = "verb, dry run value, group, version, resource, scope, component";
  const answer = since("1.21") ? "code" : "contentType and code";
  return `Counter of apiserver requests broken out for each ${labels}${since("1.18") ? "" : ", client"}, and HTTP response ${answer}.`;
}

/** The metrics of requests. Upstream: apiserver, pkg/endpoints/metrics/metrics.go. */
export function requestFamilies({ metrics, inFlight, gates }: EndpointEnvironment): readonly MetricFamily[] {
  const { longRunning } = metrics;
  const kind = gates.since("1.19") ? "request_kind" : "requestKind";
  const peaks = Object.entries(inFlight.takePeaks());
  return [
    {
      name: "apiserver_current_inflight_requests",
      type: "gauge",
      help: "Maximal number of currently used inflight request limit of this apiserver per request kind in last second.",
      samples: new Map(peaks.map(([requestKind, peak]) => [`${kind}="${requestKind}"`, peak])),
    },
    { name: "apiserver_longrunning_gauge", type: "gauge", help: longRunningHelp, samples: longRunning },
    { name: "apiserver_longrunning_requests", type: "gauge", help: longRunningHelp, samples: longRunning },
    {
      name: "apiserver_request_duration_seconds",
      type: "histogram",
      help: "Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.",
      histogram: metrics.durations,
    },
    {
      name: "apiserver_request_total",
      type: "counter",
      help: totalHelp(gates.since),
      samples: metrics.requests,
    },
    {
      name: "apiserver_requested_deprecated_apis",
      type: "gauge",
      help: "Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.",
      samples: metrics.deprecated,
    },
    {
      name: "apiserver_response_sizes",
      type: "histogram",
      help: "Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.",
      histogram: metrics.responseSizes,
    },
    {
      name: "apiserver_watch_list_duration_seconds",
      type: "histogram",
      help: "Response latency distribution in seconds for watch list requests broken by group, version, resource and scope.",
      histogram: metrics.watchLists,
    },
  ];
}
