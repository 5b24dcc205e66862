/**
 * The metrics of webhooks and policies by upstream's names without `apiserver_admission_`, or without `apiserver_` if policies have
 * a subsystem of their own.
 */
export type AdmissionCounter =
  | "match_condition_evaluation_errors_total"
  | "match_condition_exclusions_total"
  | "validating_admission_policy_check_total"
  | "webhook_fail_open_count"
  | "webhook_rejection_count"
  | "webhook_request_total";

export type AdmissionHistogram =
  | "match_condition_evaluation_seconds"
  | "validating_admission_policy_check_duration_seconds"
  | "webhook_admission_duration_seconds";

/** Labels by name. They are sorted when the metrics are read. */
export type MetricLabels = { readonly [label: string]: string };

/**
 * The upper bounds of the buckets, in seconds. Upstream: apiserver, pkg/admission/metrics/metrics.go and
 * plugin/policy/validating/metrics/metrics.go.
 */
export const admissionBuckets: { readonly [histogram in AdmissionHistogram]: readonly number[] } = {
  match_condition_evaluation_seconds: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
  validating_admission_policy_check_duration_seconds: [0.0000005, 0.001, 0.01, 0.1, 1],
  webhook_admission_duration_seconds: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
};

/** A histogram with its labels: how many values are in each bucket or a smaller one, how many there are, and their sum. */
export interface HistogramSeries {
  readonly counts: number[];
  count: number;
  sum: number;
}

/** What admission counts. Durations pass by the clock of the cluster. */
export class AdmissionMetrics {
  readonly #counters = new Map<AdmissionCounter, Map<string, number>>();
  readonly #histograms = new Map<AdmissionHistogram, Map<string, HistogramSeries>>();

  count(counter: AdmissionCounter, labels: MetricLabels): void {
    const samples = this.#counters.get(counter) ?? new Map<string, number>();
    this.#counters.set(counter, samples);
    const text = formatted(labels);
    samples.set(text, (samples.get(text) ?? 0) + 1);
  }

  observe(histogram: AdmissionHistogram, labels: MetricLabels, milliseconds: number): void {
    const series = this.#histograms.get(histogram) ?? new Map<string, HistogramSeries>();
    this.#histograms.set(histogram, series);
    const bounds = admissionBuckets[histogram];
    const text = formatted(labels);
    const one = series.get(text) ?? { counts: bounds.map(() => 0), count: 0, sum: 0 };
    series.set(text, one);
    const seconds = milliseconds / 1000;
    for (const [at, bound] of bounds.entries())
      if (seconds <= bound) one.counts[at] = (one.counts[at] ?? 0) + 1;
    one.count += 1;
    one.sum += seconds;
  }

  counter(counter: AdmissionCounter): ReadonlyMap<string, number> {
    return this.#counters.get(counter) ?? new Map();
  }

  histogram(histogram: AdmissionHistogram): ReadonlyMap<string, HistogramSeries> {
    return this.#histograms.get(histogram) ?? new Map();
  }

  reset(): void {
    this.#counters.clear();
    this.#histograms.clear();
  }
}

/** Labels as between braces. */
function formatted(labels: MetricLabels): string {
  return Object.keys(labels)
    .sort()
    .map((label) => `${label}="${escaped(labels[label] ?? "")}"`)
    .join(",");
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
