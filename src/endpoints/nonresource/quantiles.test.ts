import { expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import { Summary } from "../../apimachinery/summary.ts";
import { quantilesOf } from "./quantiles.ts";

/** The series of `a`, with its quantiles. */
function seriesOf(summary: Summary) {
  const { window, sum, count } = summary.series.get("a") ?? expect.unreachable("it was observed");
  return { quantiles: quantilesOf(window), sum, count };
}

test("a summary has the quantiles of its window", async () => {
  const clock = new VirtualClock(0);
  const summary = new Summary(clock, 5000);
  for (let value = 1; value <= 10; value += 1) summary.observe("a", value);
  expect(seriesOf(summary)).toEqual({
    quantiles: [
      [0.5, 5],
      [0.9, 9],
      [0.99, 10],
    ],
    sum: 55,
    count: 10,
  });
  await clock.advance(4000);
  summary.observe("a", 0);
  expect(seriesOf(summary).quantiles[0]).toEqual([0.5, 5]);
  await clock.advance(1000);
  expect(seriesOf(summary)).toMatchObject({
    quantiles: [
      [0.5, 0],
      [0.9, 0],
      [0.99, 0],
    ],
    sum: 55,
    count: 11,
  });
  await clock.advance(5000);
  expect(seriesOf(summary)).toMatchObject({
    quantiles: [
      [0.5, Number.NaN],
      [0.9, Number.NaN],
      [0.99, Number.NaN],
    ],
    count: 11,
  });
});
