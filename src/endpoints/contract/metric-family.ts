import type { Histogram } from "../../apimachinery/histogram.ts";

/** Values by their labels, which are sorted by name and formatted as between braces. */
export type Samples = ReadonlyMap<string, number>;

/** A metric with upstream's description and its values. */
export type MetricFamily = {
  readonly name: string;
  readonly stability: "STABLE" | "BETA" | "ALPHA";
  readonly help: string;
} & (
  | { readonly type: "counter" | "gauge"; readonly samples: Samples }
  | { readonly type: "histogram"; readonly histogram: Histogram }
);
