import type { Clock } from "../../apimachinery/clock.ts";
import { defaultBounds, Histogram } from "../../apimachinery/histogram.ts";

/**
 * Measures the rules of custom resources by the clock of the cluster: the rules of a version are compiled together. Upstream:
 * apiserver, pkg/cel/metrics/metrics.go.
 */
export class ExpressionMetrics {
  readonly compilations: Histogram = new Histogram(defaultBounds, [""]);
  readonly evaluations: Histogram = new Histogram(defaultBounds, [""]);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The result of the work, whose duration is observed. */
  measured<T>(histogram: "compilations" | "evaluations", work: () => T): T {
    const start = this.#clock.now();
    try {
      return work();
    } finally {
      this[histogram].observe("", (this.#clock.now() - start) / 1000);
    }
  }

  reset(): void {
    this.compilations.reset();
    this.evaluations.reset();
  }
}
