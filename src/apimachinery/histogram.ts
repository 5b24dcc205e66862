/** Observations with equal labels. */
export interface HistogramSeries {
  /** How many observations are at most each bound, and above the one before; the last number is of those above all bounds. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** What a histogram shows: a series of each labels. */
export interface HistogramReading {
  readonly bounds: readonly number[];
  readonly series: ReadonlyMap<string, HistogramSeries>;
}

/** Counts observations by buckets, whose bounds ascend. */
export class Distribution implements HistogramSeries {
  readonly counts: number[];
  readonly #bounds: readonly number[];
  sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  /** Counts a value that was observed that many times. */
  observe(value: number, times = 1): void {
    let bucket = 0;
    while (value > (this.#bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + times;
    this.sum += value * times;
    this.count += times;
  }
}

/** Counts observations by labels and by buckets, as a histogram of Prometheus. Labels are formatted as between braces. */
export class Histogram implements HistogramReading {
  readonly #bounds: readonly number[];
  readonly #initial: readonly string[];
  readonly #series = new Map<string, Distribution>();

  /** `bounds` ascend. The labels of `initial` have a series before the first observation; a histogram without labels has one. */
  constructor(bounds: readonly number[], initial: readonly string[] = []) {
    this.#bounds = bounds;
    this.#initial = initial;
    this.reset();
  }

  get bounds(): readonly number[] {
    return this.#bounds;
  }

  get series(): ReadonlyMap<string, HistogramSeries> {
    return this.#series;
  }

  /** Counts a value that was observed that many times. */
  observe(labels: string, value: number, times = 1): void {
    const series = this.#series.get(labels) ?? this.#start(labels);
    series.observe(value, times);
  }

  reset(): void {
    this.#series.clear();
    for (const labels of this.#initial) this.#start(labels);
  }

  #start(labels: string): Distribution {
    const series = new Distribution(this.#bounds);
    this.#series.set(labels, series);
    return series;
  }
}

/** Bounds of which each is twice the one before. */
export function doublingBounds(first: number, length: number): readonly number[] {
  return Array.from({ length }, (_, at) => first * 2 ** at);
}

/** The bounds of histograms that name none (prometheus/client_golang, `DefBuckets`). */
export const defaultBounds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
