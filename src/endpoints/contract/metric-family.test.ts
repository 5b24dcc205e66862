import { expect, test } from "vitest";
import { Histogram } from "../../apimachinery/histogram.ts";
import { countsOf } from "./metric-family.ts";

test("the counter of a histogram has the number of its observations by labels", () => {
  const histogram = new Histogram([1, 2]);
  for (const seconds of [0.5, 7]) histogram.observe('a="1"', seconds);
  histogram.observe('a="2"', 1);
  expect([...countsOf(histogram)]).toEqual([
    ['a="1"', 2],
    ['a="2"', 1],
  ]);
});
