import type { Clock } from "../../apimachinery/clock.ts";
import { Histogram } from "../../apimachinery/histogram.ts";
import { Summary } from "../../apimachinery/summary.ts";
import { type Passes, PluginDurations } from "./plugin-durations.ts";

/**
 * The metrics of webhooks and policies by upstream's names without `apiserver_admission_`, or without `apiserver_` if policies have
 * a subsystem of their own.
 */
export type AdmissionCounter =
  | "match_condition_evaluation_errors_total"
  | "match_condition_exclusions_total"
  | "mutating_admission_policy_check_total"
  | "validating_admission_policy_check_total"
  | "webhook_fail_open_count"
  | "webhook_rejection_count"
  | "webhook_request_total";

export type AdmissionHistogram =
  | "controller_admission_duration_seconds"
  | "match_condition_evaluation_seconds"
  | "mutating_admission_policy_check_duration_seconds"
  | "step_admission_duration_seconds"
  | "validating_admission_policy_check_duration_seconds"
  | "webhook_admission_duration_seconds";

/** Labels by name. They are sorted when the metrics are read. */
export type MetricLabels = { readonly [label: string]: string };

const latencyBounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/**
 * What admission counts. Durations pass by the clock of the cluster. Upstream: apiserver, pkg/admission/metrics/metrics.go, and
 * plugin/policy/validating/metrics/metrics.go and its counterpart for mutating policies.
 */
export class AdmissionMetrics {
  readonly #counters = new Map<AdmissionCounter, Map<string, number>>();
  readonly #histograms: { readonly [histogram in AdmissionHistogram]: Histogram } = {
    controller_admission_duration_seconds: new Histogram(latencyBounds),
    step_admission_duration_seconds: new Histogram(latencyBounds),
    match_condition_evaluation_seconds: new Histogram([0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25]),
    mutating_admission_policy_check_duration_seconds: new Histogram([0.0000005, 0.001, 0.01, 0.1, 1]),
    validating_admission_policy_check_duration_seconds: new Histogram([0.0000005, 0.001, 0.01, 0.1, 1]),
    webhook_admission_duration_seconds: new Histogram([0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25]),
  };

  /** The same as the histogram of steps. Upstream: latencySummaryMaxAge. */
  readonly steps: Summary;

  constructor(clock: Clock) {
    this.steps = new Summary(clock, 5 * 60 * 60 * 1000);
  }

  /** The durations of each plugin; those of all together have no name. */
  readonly #durations = new Map<string, PluginDurations>();
  /** By the place of a phase and an operation, and the names of the plugins. */
  readonly #passes = new Map<string, Passes>();

  /** The durations of a plugin; without a name, those of all plugins together. */
  durationsOf(plugin: string): PluginDurations {
    const steps = plugin === "" ? "step" : "controller";
    const histogram = this.#histograms[`${steps}_admission_duration_seconds`];
    const summary = plugin === "" ? this.steps : undefined;
    const known = this.#durations.get(plugin) ?? new PluginDurations(plugin, histogram, summary);
    this.#durations.set(plugin, known);
    return known;
  }

  /** The counter of requests that these plugins let pass at once; `place` is that of the phase and the operation. */
  passesOf(plugins: readonly string[], place: number): Passes {
    const key = [place, ...plugins].join(" ");
    const known = this.#passes.get(key);
    if (known !== undefined) return known;
    const passes: Passes = { times: 0 };
    this.#passes.set(key, passes);
    for (const plugin of plugins) this.durationsOf(plugin).share(passes, place);
    return passes;
  }

  count(counter: AdmissionCounter, labels: MetricLabels): void {
    const samples = this.#counters.get(counter) ?? new Map<string, number>();
    this.#counters.set(counter, samples);
    const text = formatted(labels);
    samples.set(text, (samples.get(text) ?? 0) + 1);
  }

  observe(histogram: AdmissionHistogram, labels: MetricLabels, milliseconds: number): void {
    this.#histograms[histogram].observe(formatted(labels), milliseconds / 1000);
  }

  counter(counter: AdmissionCounter): ReadonlyMap<string, number> {
    return this.#counters.get(counter) ?? new Map();
  }

  histogram(histogram: AdmissionHistogram): Histogram {
    for (const durations of this.#durations.values()) durations.flush();
    return this.#histograms[histogram];
  }

  reset(): void {
    this.#counters.clear();
    this.steps.reset();
    for (const durations of this.#durations.values()) durations.reset();
    for (const histogram of Object.values(this.#histograms)) histogram.reset();
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
