import fc from "fast-check";
import { expect, test } from "vitest";
import { doublingBounds, Histogram } from "./histogram.ts";

test("an observation counts in the first bucket whose bound is not below it", () => {
  const histogram = new Histogram([1, 2]);
  for (const value of [0, 1, 1.5, 2, 2.5]) histogram.observe("", value);
  expect(histogram.series.get("")).toEqual({ counts: [2, 2, 1], sum: 7, count: 5 });
});

test("each observation counts in one bucket of its labels", () => {
  const observation = fc.tuple(fc.constantFrom("a", "b"), fc.float({ noNaN: true, min: -1, max: 40 }));
  fc.assert(
    fc.property(fc.array(observation), (observations) => {
      const bounds = doublingBounds(1, 5);
      const histogram = new Histogram(bounds);
      for (const [labels, value] of observations) histogram.observe(labels, value);
      for (const [labels, { counts, count }] of histogram.series) {
        const values = observations.filter(([other]) => other === labels).map(([, value]) => value);
        const upTo = bounds.map((bound) => values.filter((value) => value <= bound).length);
        expect(counts.slice(0, -1)).toEqual(upTo.map((number, at) => number - (upTo[at - 1] ?? 0)));
        expect(counts.reduce((sum, each) => sum + each, 0)).toBe(values.length);
        expect(count).toBe(values.length);
      }
    }),
  );
});

test("a reset leaves the series that are always there", () => {
  const histogram = new Histogram([1], [""]);
  const empty = { counts: [0, 0], sum: 0, count: 0 };
  expect(histogram.series).toEqual(new Map([["", empty]]));
  histogram.observe("", 3);
  histogram.observe('a="b"', 3);
  histogram.reset();
  expect(histogram.series).toEqual(new Map([["", empty]]));
});

test("the bounds double", () => {
  expect(doublingBounds(0.001, 4)).toEqual([0.001, 0.002, 0.004, 0.008]);
});
