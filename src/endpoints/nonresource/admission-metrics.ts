import type { AdmissionCounter, AdmissionHistogram } from "../../admission/contract/admission-metrics.ts";
import type { Since } from "../../apimachinery/release.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { MetricFamily } from "../contract/metric-family.ts";

/** Upstream's descriptions: apiserver, pkg/admission/metrics/metrics.go. In the order of their names. */
const families: readonly (readonly [name: AdmissionCounter | AdmissionHistogram, help: string])[] = [
  [
    "controller_admission_duration_seconds",
    "Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).",
  ],
  [
    "step_admission_duration_seconds",
    "Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).",
  ],
  [
    "match_condition_evaluation_errors_total",
    "Admission match condition evaluation errors count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).",
  ],
  [
    "match_condition_evaluation_seconds",
    "Admission match condition evaluation time in seconds, identified by name and broken out for each kind containing matchConditions (webhook or policy), operation and type (validate or admit).",
  ],
  [
    "match_condition_exclusions_total",
    "Admission match condition evaluation exclusions count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).",
  ],
  [
    "webhook_admission_duration_seconds",
    "Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).",
  ],
  [
    "webhook_fail_open_count",
    "Admission webhook fail open count, identified by name and broken out for each admission type (validating or admit).",
  ],
  [
    "webhook_rejection_count",
    "Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.",
  ],
  [
    "webhook_request_total",
    "Admission webhook request total, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.",
  ],
  [
    "mutating_admission_policy_check_duration_seconds",
    "Mutation admission latency for individual mutation expressions in seconds, labeled by policy and binding.",
  ],
  [
    "mutating_admission_policy_check_total",
    "Mutation admission policy check total, labeled by policy and further identified by binding.",
  ],
  [
    "validating_admission_policy_check_duration_seconds",
    "Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.",
  ],
  [
    "validating_admission_policy_check_total",
    "Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.",
  ],
];

/** The metrics of webhooks and policies. */
export function admissionFamilies({
  admissionMetrics,
  gates: { since },
}: EndpointEnvironment): readonly MetricFamily[] {
  const steps: MetricFamily = {
    name: "apiserver_admission_step_admission_duration_seconds_summary",
    type: "summary",
    help: "Admission sub-step latency summary in seconds, broken out for each operation and API resource and step type (validate or admit).",
    summary: admissionMetrics.steps,
  };
  const others = families.map(([name, help]): MetricFamily => {
    const prefix = name.includes("_admission_policy_") ? "apiserver" : "apiserver_admission";
    const description = { name: `${prefix}_${name}`, help: helpIn(since, name, help) };
    return isHistogram(name)
      ? { ...description, type: "histogram", histogram: admissionMetrics.histogram(name) }
      : { ...description, type: "counter", samples: admissionMetrics.counter(name) };
  });
  return [...others, steps];
}

/** The description in a release. Upstream: the same file, and pkg/admission/plugin/policy/validating/metrics/metrics.go. */
function helpIn(since: Since, name: string, help: string): string {
  if (name === "webhook_fail_open_count" || name === "webhook_request_total")
    return since("1.32") ? help : help.replace("(validating or admit)", "(validating or mutating)");
  if (since("1.31")) return help;
  if (name === "validating_admission_policy_check_total")
    return help.replace(
      "binding and enforcement action taken",
      "binding, enforcement action taken, and state",
    );
  return help.replace("binding and enforcement action taken", "binding, state and enforcement action taken");
}

function isHistogram(name: AdmissionCounter | AdmissionHistogram): name is AdmissionHistogram {
  return name.endsWith("_seconds");
}
