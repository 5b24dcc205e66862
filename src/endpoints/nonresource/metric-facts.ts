import type { Release } from "../../apimachinery/release.ts";

/** How stable a metric is. */
export type StabilityLevel = "INTERNAL" | "ALPHA" | "BETA" | "STABLE";

/** The life of a metric. */
export interface MetricFacts {
  readonly name: string;
  /** The first release of each level. The first of them is the one with the metric. */
  readonly levels: { readonly [level in StabilityLevel]?: Release };
  /** The release since which it is deprecated. */
  readonly deprecated?: Release;
  /** The first release that says so, if it is a later one. */
  readonly announced?: Release;
  /** The first release without it. */
  readonly removed?: Release;
}

/**
 * The metrics that a release brought, promoted, deprecated or removed, as of the newest patch of each release. All others are
 * ALPHA. Upstream: test/instrumentation/testdata/stable-metrics-list.yaml and the files that define the metrics.
 */
export const metricFacts: readonly MetricFacts[] = [
  // apiserver, pkg/admission/metrics/metrics.go
  {
    name: "apiserver_admission_controller_admission_duration_seconds",
    levels: { ALPHA: "1.16", STABLE: "1.23" },
  },
  { name: "apiserver_admission_step_admission_duration_seconds", levels: { ALPHA: "1.16", STABLE: "1.23" } },
  {
    name: "apiserver_admission_webhook_admission_duration_seconds",
    levels: { ALPHA: "1.16", STABLE: "1.23" },
  },
  { name: "apiserver_admission_match_condition_evaluation_errors_total", levels: { ALPHA: "1.28" } },
  { name: "apiserver_admission_match_condition_evaluation_seconds", levels: { ALPHA: "1.28" } },
  { name: "apiserver_admission_match_condition_exclusions_total", levels: { ALPHA: "1.28" } },
  { name: "apiserver_admission_webhook_fail_open_count", levels: { ALPHA: "1.24" } },
  { name: "apiserver_admission_webhook_request_total", levels: { ALPHA: "1.23" } },
  // apiserver, pkg/admission/plugin/policy/validating/metrics/metrics.go
  {
    name: "apiserver_validating_admission_policy_check_duration_seconds",
    levels: { ALPHA: "1.26", BETA: "1.31" },
  },
  { name: "apiserver_validating_admission_policy_check_total", levels: { ALPHA: "1.26", BETA: "1.31" } },
  // apiserver, pkg/admission/plugin/policy/mutating/metrics/metrics.go
  { name: "apiserver_mutating_admission_policy_check_duration_seconds", levels: { ALPHA: "1.34" } },
  { name: "apiserver_mutating_admission_policy_check_total", levels: { ALPHA: "1.34" } },
  // apiserver, pkg/cel/metrics/metrics.go, until 1.25 apiextensions-apiserver, pkg/apiserver/schema/cel/metrics/metrics.go
  { name: "apiserver_cel_compilation_duration_seconds", levels: { ALPHA: "1.25", BETA: "1.31" } },
  { name: "apiserver_cel_evaluation_duration_seconds", levels: { ALPHA: "1.25", BETA: "1.31" } },
  // apiserver, pkg/validation/metrics.go
  { name: "apiserver_validation_declarative_validation_mismatch_total", levels: { BETA: "1.33" } },
  { name: "apiserver_validation_declarative_validation_panic_total", levels: { BETA: "1.33" } },
  { name: "apiserver_validation_duplicate_validation_error_total", levels: { INTERNAL: "1.35" } },
  // apiserver, pkg/endpoints/metrics/metrics.go
  { name: "apiserver_current_inflight_requests", levels: { ALPHA: "1.16", STABLE: "1.23" } },
  {
    name: "apiserver_longrunning_gauge",
    levels: { ALPHA: "1.16" },
    deprecated: "1.23",
    removed: "1.25",
  },
  { name: "apiserver_longrunning_requests", levels: { ALPHA: "1.23", STABLE: "1.25" } },
  { name: "apiserver_request_duration_seconds", levels: { ALPHA: "1.16", STABLE: "1.21" } },
  { name: "apiserver_request_total", levels: { ALPHA: "1.16", STABLE: "1.21" } },
  { name: "apiserver_requested_deprecated_apis", levels: { ALPHA: "1.19", STABLE: "1.22" } },
  { name: "apiserver_response_sizes", levels: { ALPHA: "1.16", STABLE: "1.23" } },
  { name: "apiserver_watch_list_duration_seconds", levels: { ALPHA: "1.29", BETA: "1.36" } },
  // apiserver, pkg/util/flowcontrol/metrics/metrics.go; the feature is on by default since 1.20
  { name: "apiserver_flowcontrol_current_executing_requests", levels: { ALPHA: "1.20", BETA: "1.28" } },
  { name: "apiserver_flowcontrol_current_executing_seats", levels: { BETA: "1.28" } },
  { name: "apiserver_flowcontrol_current_inqueue_requests", levels: { ALPHA: "1.20", BETA: "1.28" } },
  { name: "apiserver_flowcontrol_dispatched_requests_total", levels: { ALPHA: "1.20", BETA: "1.28" } },
  { name: "apiserver_flowcontrol_nominal_limit_seats", levels: { ALPHA: "1.26", BETA: "1.28" } },
  { name: "apiserver_flowcontrol_rejected_requests_total", levels: { ALPHA: "1.20", BETA: "1.28" } },
  {
    name: "apiserver_flowcontrol_request_concurrency_in_use",
    levels: { ALPHA: "1.22" },
    deprecated: "1.31",
  },
  {
    name: "apiserver_flowcontrol_request_concurrency_limit",
    levels: { ALPHA: "1.20" },
    deprecated: "1.30",
  },
  { name: "apiserver_flowcontrol_request_wait_duration_seconds", levels: { ALPHA: "1.20", BETA: "1.28" } },
  // apiserver, pkg/server/options
  {
    name: "apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds",
    levels: { ALPHA: "1.30", BETA: "1.34" },
  },
  {
    name: "apiserver_authentication_config_controller_automatic_reloads_total",
    levels: { ALPHA: "1.30", BETA: "1.34" },
  },
  {
    name: "apiserver_authorization_config_controller_automatic_reload_last_timestamp_seconds",
    levels: { ALPHA: "1.30", BETA: "1.34" },
  },
  {
    name: "apiserver_authorization_config_controller_automatic_reloads_total",
    levels: { ALPHA: "1.30", BETA: "1.34" },
  },
  // apiserver, pkg/storage/etcd3/metrics/metrics.go
  { name: "apiserver_resource_objects", levels: { ALPHA: "1.34" } },
  {
    name: "apiserver_storage_objects",
    levels: { STABLE: "1.21" },
    deprecated: "1.34",
    announced: "1.35",
  },
  { name: "apiserver_storage_events_received_total", levels: { ALPHA: "1.27", BETA: "1.36" } },
  { name: "apiserver_storage_size_bytes", levels: { ALPHA: "1.28", STABLE: "1.30" } },
  {
    name: "etcd_object_counts",
    levels: { ALPHA: "1.16" },
    deprecated: "1.22",
    removed: "1.25",
  },
  // component-base, metrics/prometheus/workqueue/metrics.go
  { name: "workqueue_adds_total", levels: { ALPHA: "1.16", BETA: "1.36" } },
  { name: "workqueue_depth", levels: { ALPHA: "1.16", BETA: "1.36" } },
  { name: "workqueue_longest_running_processor_seconds", levels: { ALPHA: "1.16", BETA: "1.36" } },
  { name: "workqueue_queue_duration_seconds", levels: { ALPHA: "1.16", BETA: "1.36" } },
  { name: "workqueue_retries_total", levels: { ALPHA: "1.16", BETA: "1.36" } },
  { name: "workqueue_unfinished_work_seconds", levels: { ALPHA: "1.16", BETA: "1.36" } },
  { name: "workqueue_work_duration_seconds", levels: { ALPHA: "1.16", BETA: "1.36" } },
  // component-base, metrics
  { name: "disabled_metric_total", levels: { ALPHA: "1.26" }, removed: "1.28" },
  { name: "disabled_metrics_total", levels: { BETA: "1.28" } },
  { name: "hidden_metric_total", levels: { ALPHA: "1.26" }, removed: "1.28" },
  { name: "hidden_metrics_total", levels: { BETA: "1.28" } },
  { name: "registered_metric_total", levels: { ALPHA: "1.26" }, removed: "1.28" },
  { name: "registered_metrics_total", levels: { BETA: "1.28" } },
  { name: "kubernetes_build_info", levels: { ALPHA: "1.16", BETA: "1.36" } },
  { name: "kubernetes_feature_enabled", levels: { ALPHA: "1.26", BETA: "1.28" } },
  { name: "kubernetes_healthcheck", levels: { ALPHA: "1.26", BETA: "1.28", STABLE: "1.29" } },
  { name: "kubernetes_healthchecks_total", levels: { ALPHA: "1.26", BETA: "1.28", STABLE: "1.29" } },
  { name: "version_info", levels: { ALPHA: "1.34" } },
];
