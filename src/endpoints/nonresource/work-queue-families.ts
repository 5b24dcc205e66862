import type { HistogramReading } from "../../apimachinery/histogram.ts";
import type { Release, Since } from "../../apimachinery/release.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { MetricFamily, Samples } from "../contract/metric-family.ts";
import {
  emptyCounts,
  type QueueCounts,
  type WorkQueueMetrics,
  workQueueBounds,
} from "../contract/work-queue-metrics.ts";

/** A queue that a server with the default configuration has. */
interface QueueFacts {
  readonly name: string;
  /** The first release with it. Default: the oldest one. */
  readonly since?: Release;
  /** The first release without it. Default: no release. */
  readonly until?: Release;
  /** The gate without which it does not exist. */
  readonly gate?: string;
}

/**
 * The queues that a server shows before anything enters them. Controllers of this project count in those of definitions, of
 * APIServices and of the authentication that is published. In the others nothing moves here: `admission_quota_controller`,
 * `discovery-manager`, `DynamicServingCertificateController`, `ipaddresses`, `ipallocator.k8s.io`, `legacy_token_tracking_controller`,
 * `open_api_...`, `priority_and_fairness_config_queue` and `services`, whose work is done when it is needed. The queues of certificate
 * files, which options name, are left out.
 */
const idleQueues: readonly QueueFacts[] = [
  // kube-aggregator, pkg/apiserver and pkg/controllers
  { name: "APIServiceRegistrationController" },
  { name: "AvailableConditionController", until: "1.31" },
  { name: "LocalAvailabilityController", since: "1.31" },
  { name: "RemoteAvailabilityController", since: "1.31" },
  { name: "autoregister" },
  { name: "discovery-manager", since: "1.27" },
  { name: "APIServiceOpenAPIAggregationControllerQueue1", until: "1.19" },
  { name: "open_api_aggregation_controller", since: "1.19" },
  { name: "open_api_v3_aggregation_controller", gate: "OpenAPIV3" },
  // apiextensions-apiserver, pkg/apiserver and pkg/controller
  { name: "DiscoveryController" },
  { name: "crdEstablishing" },
  { name: "crd_finalizer" },
  { name: "crd_naming_condition_controller" },
  { name: "crd_openapi_controller" },
  { name: "crd_openapi_v3_controller", gate: "OpenAPIV3" },
  { name: "kubernetes_api_approval_conformant_condition_controller" },
  { name: "non_structural_schema_condition_controller" },
  // apiserver
  { name: "DynamicServingCertificateController", since: "1.17" },
  { name: "admission_quota_controller" },
  { name: "priority_and_fairness_config_queue", gate: "APIPriorityAndFairness" },
  // kubernetes, pkg/controlplane/controller and pkg/registry/core/service/ipallocator
  { name: "cluster_authentication_trust_controller", since: "1.17" },
  { name: "crd_autoregistration_controller" },
  { name: "ipaddresses", since: "1.33" },
  { name: "ipallocator.k8s.io", since: "1.33" },
  { name: "legacy_token_tracking_controller", gate: "LegacyServiceAccountTokenTracking" },
  { name: "services", since: "1.33" },
];

/** The only queue without delays, which counts no retries. */
const withoutRetries = "admission_quota_controller";

/** The metrics of the queues of controllers. Upstream: component-base, metrics/prometheus/workqueue/metrics.go. */
export function workQueueFamilies({ workQueueMetrics, gates }: EndpointEnvironment): readonly MetricFamily[] {
  const idle = idleQueues.filter((queue) => hasQueue(queue, gates)).map(({ name }) => name);
  const { adds, retries, depth, latencies, durations, unfinished, longest } = readQueues(
    workQueueMetrics,
    idle,
  );
  const retrying = [...retries].filter(([labels]) => labels !== `name="${withoutRetries}"`);
  return [
    {
      name: "workqueue_adds_total",
      type: "counter",
      help: "Total number of adds handled by workqueue",
      samples: adds,
    },
    { name: "workqueue_depth", type: "gauge", help: "Current depth of workqueue", samples: depth },
    {
      name: "workqueue_longest_running_processor_seconds",
      type: "gauge",
      help: "How many seconds has the longest running processor for workqueue been running.",
      samples: longest,
    },
    {
      name: "workqueue_queue_duration_seconds",
      type: "histogram",
      help: "How long in seconds an item stays in workqueue before being requested.",
      histogram: latencies,
    },
    {
      name: "workqueue_retries_total",
      type: "counter",
      help: "Total number of retries handled by workqueue",
      samples: new Map(retrying),
    },
    {
      name: "workqueue_unfinished_work_seconds",
      type: "gauge",
      help: "How many seconds of work has done that is in progress and hasn't been observed by work_duration. Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at which this increases.",
      samples: unfinished,
    },
    {
      name: "workqueue_work_duration_seconds",
      type: "histogram",
      help: "How long in seconds processing an item from workqueue takes.",
      histogram: durations,
    },
  ];
}

function hasQueue({ since, until, gate }: QueueFacts, { since: reached, isEnabled }: FeatureGates): boolean {
  const exists = (first: Release | undefined, test: Since) => first !== undefined && test(first);
  if (since !== undefined && !reached(since)) return false;
  return !exists(until, reached) && (gate === undefined || isEnabled(gate));
}

/** What queues show, by the labels of each. */
interface WorkQueueReading {
  readonly adds: Samples;
  readonly retries: Samples;
  readonly depth: Samples;
  readonly latencies: HistogramReading;
  readonly durations: HistogramReading;
  readonly unfinished: Samples;
  readonly longest: Samples;
}

/** What the queues show; those of `names` also if no key has entered them. */
export function readQueues(metrics: WorkQueueMetrics, names: readonly string[]): WorkQueueReading {
  const all = new Map([...names.map((name) => [name, emptyCounts()] as const), ...metrics.counts]);
  const of = <T>(value: (name: string, counts: QueueCounts) => T): ReadonlyMap<string, T> =>
    new Map([...all].map(([name, counts]) => [`name="${name}"`, value(name, counts)]));
  return {
    adds: of((_, { adds }) => adds),
    retries: of((_, { retries }) => retries),
    depth: of((name) => metrics.depth(name)),
    latencies: { bounds: workQueueBounds, series: of((_, { latencies }) => latencies) },
    durations: { bounds: workQueueBounds, series: of((_, { durations }) => durations) },
    unfinished: of((name) => metrics.processing(name).reduce((sum, seconds) => sum + seconds, 0)),
    longest: of((name) => Math.max(0, ...metrics.processing(name))),
  };
}
