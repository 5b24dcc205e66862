import type { OptionType } from "../apimachinery/option-checks.ts";
import { listOf, text } from "../apimachinery/option-types.ts";
import { type Release, releaseBefore } from "../apimachinery/release.ts";
import type { AllowedLabels, MetricsOptions } from "../endpoints/contract/metrics-options.ts";

/** Which metrics a server shows. */
export interface ShownMetricsOptions {
  /**
   * The previous release: shows the metrics that this release hides because they are deprecated:
   * `--show-hidden-metrics-for-version`. Default: they are hidden.
   */
  readonly showHiddenMetricsForVersion?: string;
  /** The names of metrics that are not shown: `--disabled-metrics`. Default: none. */
  readonly disabledMetrics?: readonly string[];
  /**
   * The values that labels of metrics may have, such as `{ "apiserver_request_total,resource": "pods,secrets" }`; others are
   * shown as `unexpected`: `--allow-metric-labels`, `--allow-metric-labels-manifest`. Default: any.
   */
  readonly allowMetricLabels?: { readonly [metricAndLabel: string]: string };
}

/** What each option of metrics accepts. */
export const metricsOptionTypes: { readonly [option in keyof Required<ShownMetricsOptions>]: OptionType } = {
  showHiddenMetricsForVersion: { accepts: 'text such as "1.31"', isValid: text.isValid },
  disabledMetrics: listOf(text),
  allowMetricLabels: {
    accepts: "an object whose values are text",
    isValid: (value) =>
      typeof value === "object" &&
      value !== null &&
      Object.values(value).every((each) => typeof each === "string"),
  },
};

/** @throws {Error} for another release than the previous one, with upstream's text (component-base, metrics/options.go) */
export function completeMetricsOptions(options: ShownMetricsOptions, release: Release): MetricsOptions {
  const { showHiddenMetricsForVersion: shown = "", disabledMetrics = [] } = options;
  const previous = releaseBefore(release);
  if (shown !== "" && shown !== previous) {
    throw new Error(
      `--show-hidden-metrics-for-version must be omitted or have the value '${previous}'. Only the previous minor version is allowed`,
    );
  }
  const allowedLabels = allowedLabelsOf(options.allowMetricLabels ?? {});
  return { showHidden: shown !== "", disabled: new Set(disabledMetrics), allowedLabels };
}

/** Upstream: component-base, metrics/options.go. @throws {Error} for keys of another form, with upstream's text */
function allowedLabelsOf(mapping: { readonly [metricAndLabel: string]: string }): AllowedLabels {
  const allowed = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [key, values] of Object.entries(mapping)) {
    const [, metric, label] = /^([a-zA-Z_:][a-zA-Z0-9_:]*),([a-zA-Z_][a-zA-Z0-9_]*)$/.exec(key) ?? [];
    if (metric === undefined || label === undefined) {
      throw new Error(
        `allowMetricLabels must have keys with format \`metricName,labelName\`, not ${JSON.stringify(key)}`,
      );
    }
    const labels = allowed.get(metric) ?? new Map<string, ReadonlySet<string>>();
    allowed.set(metric, labels.set(label, new Set(values.split(","))));
  }
  return allowed;
}
