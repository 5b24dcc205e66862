import type { SummaryPart } from "../../apimachinery/summary.ts";

const quantiles: readonly number[] = [0.5, 0.9, 0.99];

/** The values at the quantiles of a window; NaN without observations. */
export function quantilesOf(
  window: readonly SummaryPart[],
): readonly (readonly [quantile: number, value: number])[] {
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
