import { expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import { Summary } from "../../apimachinery/summary.ts";
import type { MetricFamily } from "../contract/metric-family.ts";
import { withAllowedLabels } from "./allowed-labels.ts";

const samples = new Map([
  ['verb="GET",code="200"', 1],
  ['verb="PUT",code="200"', 2],
  ['verb="odd",code="200"', 4],
]);
const help = "Requests.";
const allowed = new Map([["requests", new Map([["verb", new Set(["GET"])]])]]);

test.each<readonly [MetricFamily["type"] & ("counter" | "gauge"), number]>([
  ["counter", 6],
  // A gauge has the value that was set last.
  ["gauge", 4],
])("values of a label of a %s that are not allowed are one series", (type, unexpected) => {
  const family = withAllowedLabels({ name: "requests", type, help, samples }, allowed);
  expect(family).toMatchObject({ name: "requests", type, help });
  expect("samples" in family && [...family.samples]).toEqual([
    ['verb="GET",code="200"', 1],
    ['verb="unexpected",code="200"', unexpected],
  ]);
});

test("histograms add their observations", () => {
  const series = (count: number) => ({ counts: [count, count + 1], sum: count * 2, count });
  const histogram = {
    bounds: [1, 2],
    series: new Map([
      ['verb="PUT"', series(1)],
      ['verb="odd"', series(3)],
    ]),
  };
  const family = withAllowedLabels({ name: "requests", type: "histogram", help, histogram }, allowed);
  expect("histogram" in family && [...family.histogram.series]).toEqual([
    ['verb="unexpected"', { counts: [4, 6], sum: 8, count: 4 }],
  ]);
});

test("other metrics stay as they are", () => {
  const family: MetricFamily = { name: "other", type: "counter", help, samples };
  expect(withAllowedLabels(family, allowed)).toBe(family);
  const summary: MetricFamily = {
    name: "requests",
    type: "summary",
    help,
    summary: new Summary(new VirtualClock(0), 1000),
  };
  expect(withAllowedLabels(summary, allowed)).toBe(summary);
});
