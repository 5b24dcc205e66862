import type { Clock } from "./clock.ts";

const quantiles: readonly number[] = [0.5, 0.9, 0.99];

/** How many parts of equal length the window has; the oldest is dropped as a whole (prometheus/client_golang, `DefAgeBuckets`). */
const parts = 5;

/** The values of one part of the window, and how often each was observed. */
interface Part {
  readonly number: number;
  readonly counts: Map<number, number>;
}

interface Series {
  parts: Part[];
  sum: number;
  count: number;
}

/** Observations with equal labels. */
export interface SummarySeries {
  /** The values at the quantiles of the window; NaN without observations. */
  readonly quantiles: readonly (readonly [quantile: number, value: number])[];
  readonly sum: number;
  readonly count: number;
}

/**
 * The quantiles of what was observed within a window by a clock, as a summary of Prometheus. Values have two significant digits, so that
 * there are few of them.
 */
export class Summary {
  readonly #clock: Clock;
  readonly #partMilliseconds: number;
  readonly #series = new Map<string, Series>();

  constructor(clock: Clock, windowMilliseconds: number) {
    this.#clock = clock;
    this.#partMilliseconds = windowMilliseconds / parts;
  }

  observe(labels: string, value: number): void {
    const series = this.#series.get(labels) ?? { parts: [], sum: 0, count: 0 };
    this.#series.set(labels, series);
    series.sum += value;
    series.count += 1;
    const number = this.#part();
    let part = series.parts.at(-1);
    if (part?.number !== number) {
      part = { number, counts: new Map() };
      series.parts = [...this.#recent(series), part];
    }
    const rounded = value === 0 ? 0 : Number(value.toPrecision(2));
    part.counts.set(rounded, (part.counts.get(rounded) ?? 0) + 1);
  }

  get series(): ReadonlyMap<string, SummarySeries> {
    return new Map(
      [...this.#series].map(([labels, series]) => {
        const { sum, count } = series;
        return [labels, { quantiles: quantilesOf(this.#recent(series)), sum, count }];
      }),
    );
  }

  reset(): void {
    this.#series.clear();
  }

  #part(): number {
    return Math.floor(this.#clock.now() / this.#partMilliseconds);
  }

  #recent({ parts: all }: Series): Part[] {
    const oldest = this.#part() - parts;
    return all.filter(({ number }) => number > oldest);
  }
}

function quantilesOf(window: readonly Part[]): SummarySeries["quantiles"] {
  const counts = new Map<number, number>();
  for (const part of window) {
    for (const [value, times] of part.counts) counts.set(value, (counts.get(value) ?? 0) + times);
  }
  const ascending = [...counts].sort(([a], [b]) => a - b);
  const total = ascending.reduce((sum, [, times]) => sum + times, 0);
  return quantiles.map((quantile) => {
    let below = 0;
    const found = ascending.find(([, times]) => {
      below += times;
      return below >= quantile * total;
    });
    return [quantile, found?.[0] ?? Number.NaN];
  });
}
