import type { AuthorizationCounter } from "../../authorization/contract/authorization-metrics.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { countsOf, type MetricFamily } from "../contract/metric-family.ts";

/** The metrics of authorization that the release has, without those of its configuration. */
export function authorizationFamilies(environment: EndpointEnvironment): readonly MetricFamily[] {
  const { gates } = environment;
  return [
    ...(gates.since("1.28") ? attemptFamilies(environment) : []),
    ...(gates.since("1.30") ? authorizerFamilies(environment) : []),
  ];
}

/** Upstream: apiserver, pkg/endpoints/filters/metrics.go. */
function attemptFamilies({ authorizationMetrics }: EndpointEnvironment): readonly MetricFamily[] {
  const { attempts } = authorizationMetrics;
  return [
    {
      name: "authorization_attempts_total",
      type: "counter",
      help: "Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
      samples: countsOf(attempts),
    },
    {
      name: "authorization_duration_seconds",
      type: "histogram",
      help: "Authorization duration in seconds broken out by result.",
      histogram: attempts,
    },
  ];
}

const counterHelp: readonly (readonly [counter: AuthorizationCounter, help: string])[] = [
  [
    "decisions_total",
    "Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.",
  ],
  [
    "match_condition_evaluation_errors_total",
    "Total number of errors when an authorization webhook encounters a match condition error split by authorizer type and name.",
  ],
  [
    "match_condition_exclusions_total",
    "Total number of exclusions when an authorization webhook is skipped because match conditions exclude it.",
  ],
  ["webhook_evaluations_fail_open_total", "NoOpinion results due to webhook timeout or error."],
  ["webhook_evaluations_total", "Round-trips to authorization webhooks."],
];

/**
 * Upstream: apiserver, pkg/authorization/metrics/metrics.go, pkg/authorization/cel/metrics.go and
 * plugin/pkg/authorizer/webhook/metrics/metrics.go.
 */
function authorizerFamilies({ authorizationMetrics }: EndpointEnvironment): readonly MetricFamily[] {
  const { matchConditions, webhookCalls } = authorizationMetrics;
  const prefix = "apiserver_authorization";
  const counters = counterHelp.map(
    ([counter, help]): MetricFamily => ({
      name: `${prefix}_${counter}`,
      type: "counter",
      help,
      samples: authorizationMetrics.samples(counter),
    }),
  );
  return [
    ...counters,
    {
      name: `${prefix}_match_condition_evaluation_seconds`,
      type: "histogram",
      help: "Authorization match condition evaluation time in seconds, split by authorizer type and name.",
      histogram: matchConditions,
    },
    {
      name: `${prefix}_webhook_duration_seconds`,
      type: "histogram",
      help: "Request latency in seconds.",
      histogram: webhookCalls,
    },
  ];
}
