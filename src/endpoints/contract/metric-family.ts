import type { Histogram, HistogramReading } from "../../apimachinery/histogram.ts";
import type { Summary } from "../../apimachinery/summary.ts";

/** Values by their labels, which are sorted by name and formatted as between braces. */
export type Samples = ReadonlyMap<string, number>;

/** A metric with upstream's description and its values. */
export type MetricFamily = {
  readonly name: string;
  readonly help: string;
} & (
  | { readonly type: "counter" | "gauge"; readonly samples: Samples }
  | { readonly type: "histogram"; readonly histogram: HistogramReading }
  | { readonly type: "summary"; readonly summary: Summary }
);

/** The counter that goes with a histogram. */
export function countsOf({ series }: Histogram): Samples {
  return new Map([...series].map(([labels, { count }]) => [labels, count]));
}
