import type { HistogramReading, HistogramSeries } from "../../apimachinery/histogram.ts";
import type { MetricFamily } from "../contract/metric-family.ts";
import type { AllowedLabels } from "../contract/metrics-options.ts";

/** Stands for every value that is not allowed. Upstream: component-base, metrics/opts.go. */
const unexpected = "unexpected";

/** The metric with one series for all values of a label that are not allowed. */
export function withAllowedLabels(family: MetricFamily, allowed: AllowedLabels): MetricFamily {
  const labels = allowed.get(family.name);
  if (labels === undefined || family.type === "summary") return family;
  const rename = (text: string): string =>
    [...labels].reduce((renamed, [label, values]) => withAllowedValues(renamed, label, values), text);
  if (family.type === "histogram") return { ...family, histogram: merged(family.histogram, rename) };
  const samples = new Map<string, number>();
  for (const [text, value] of family.samples) {
    const renamed = rename(text);
    // Unlike a gauge, a counter counts everything that has the same labels.
    const before = family.type === "counter" ? (samples.get(renamed) ?? 0) : 0;
    samples.set(renamed, before + value);
  }
  return { ...family, samples };
}

function withAllowedValues(text: string, label: string, values: ReadonlySet<string>): string {
  return text.replace(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g, (pair, name: string, value: string) =>
    name === label && !values.has(value) ? `${name}="${unexpected}"` : pair,
  );
}

function merged({ bounds, series }: HistogramReading, rename: (text: string) => string): HistogramReading {
  const all = new Map<string, HistogramSeries>();
  for (const [text, { counts, sum, count }] of series) {
    const before = all.get(rename(text));
    all.set(rename(text), {
      counts: counts.map((each, at) => each + (before?.counts[at] ?? 0)),
      sum: sum + (before?.sum ?? 0),
      count: count + (before?.count ?? 0),
    });
  }
  return { bounds, series: all };
}
