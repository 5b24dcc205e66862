import type { Samples } from "../contract/server-metrics.ts";

/** A metric with its samples and upstream's description. */
export interface MetricFamily {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly stability: "STABLE" | "BETA" | "ALPHA";
  readonly help: string;
  readonly samples: Samples;
}
