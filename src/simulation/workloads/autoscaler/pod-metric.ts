/** What a pod uses. */
export interface PodMetric {
  /** In thousandths. */
  readonly value: bigint;
  /** In milliseconds since the epoch. */
  readonly timestamp: number;
  /** Over how many milliseconds the value was measured. */
  readonly window: number;
}

/** What pods use, by their names. */
export type PodMetrics = ReadonlyMap<string, PodMetric>;

/** Sums of metrics are computed without loss, as in Go. */
export function sumOfMetrics(metrics: PodMetrics): bigint {
  let sum = 0n;
  for (const { value } of metrics.values()) sum += value;
  return sum;
}
