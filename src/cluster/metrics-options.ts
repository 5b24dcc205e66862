import type { OptionType } from "../apimachinery/option-checks.ts";
import { listOf, text } from "../apimachinery/option-types.ts";
import { type Release, releaseBefore } from "../apimachinery/release.ts";
import type { MetricsOptions } from "../endpoints/contract/metrics-options.ts";

/** Which metrics a server shows. */
export interface ShownMetricsOptions {
  /**
   * The previous release: shows the metrics that this release hides because they are deprecated:
   * `--show-hidden-metrics-for-version`. Default: they are hidden.
   */
  readonly showHiddenMetricsForVersion?: string;
  /** The names of metrics that are not shown: `--disabled-metrics`. Default: none. */
  readonly disabledMetrics?: readonly string[];
}

/** What each option of metrics accepts. */
export const metricsOptionTypes: { readonly [option in keyof Required<ShownMetricsOptions>]: OptionType } = {
  showHiddenMetricsForVersion: { accepts: 'text such as "1.31"', isValid: text.isValid },
  disabledMetrics: listOf(text),
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
  return { showHidden: shown !== "", disabled: new Set(disabledMetrics) };
}
