import type { Clock } from "./clock.ts";

/** How many parts of equal length the window has; the oldest is dropped as a whole (prometheus/client_golang, `DefAgeBuckets`). */
const parts = 5;

/** The values of one part of the window, and how often each was observed. */
export interface SummaryPart {
  readonly number: number;
  readonly counts: Map<number, number>;
}

interface Series {
  parts: SummaryPart[];
  sum: number;
  count: number;
}

/** Observations with equal labels. */
export interface SummarySeries {
  /** What was observed within the window. */
  readonly window: readonly SummaryPart[];
  readonly sum: number;
  readonly count: number;
}

/**
 * What was observed within a window by a clock, for the quantiles of a summary of Prometheus. Values have two significant digits, so that
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
        return [labels, { window: this.#recent(series), sum, count }];
      }),
    );
  }

  reset(): void {
    this.#series.clear();
  }

  #part(): number {
    return Math.floor(this.#clock.now() / this.#partMilliseconds);
  }

  #recent({ parts: all }: Series): SummaryPart[] {
    const oldest = this.#part() - parts;
    return all.filter(({ number }) => number > oldest);
  }
}
