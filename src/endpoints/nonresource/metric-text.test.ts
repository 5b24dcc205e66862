import { expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import { Histogram } from "../../apimachinery/histogram.ts";
import { Summary } from "../../apimachinery/summary.ts";
import type { MetricFamily } from "../contract/metric-family.ts";
import { metricText } from "./metric-text.ts";

const described = { help: "What it is." } as const;

/** The text of metrics that are ALPHA and not deprecated. */
function textOf(...families: readonly MetricFamily[]): string {
  return metricText(families.map((family) => ({ family, stability: "ALPHA", deprecated: undefined })));
}

test("a histogram has cumulative buckets, a sum and a count for each of its labels", () => {
  const histogram = new Histogram([0.5, 1_500_000]);
  for (const value of [0.25, 0.5, 2, 2_000_000]) histogram.observe('a="b"', value);
  expect(textOf({ ...described, name: "seconds", type: "histogram", histogram })).toBe(
    [
      "# HELP seconds [ALPHA] What it is.",
      "# TYPE seconds histogram",
      'seconds_bucket{a="b",le="0.5"} 2',
      'seconds_bucket{a="b",le="1.5e+06"} 3',
      'seconds_bucket{a="b",le="+Inf"} 4',
      'seconds_sum{a="b"} 2.00000275e+06',
      'seconds_count{a="b"} 4',
      "",
    ].join("\n"),
  );
});

test("a histogram without labels has only the bounds in braces", () => {
  const histogram = new Histogram([1], [""]);
  const text = textOf({ ...described, name: "seconds", type: "histogram", histogram });
  expect(text.split("\n").slice(2)).toEqual([
    'seconds_bucket{le="1"} 0',
    'seconds_bucket{le="+Inf"} 0',
    "seconds_sum 0",
    "seconds_count 0",
    "",
  ]);
});

test("metrics are sorted by name and those without values left out", () => {
  const samples = new Map([
    ['a="y"', 1],
    ['a="x"', 2],
  ]);
  const text = textOf(
    { ...described, name: "b", type: "gauge", samples: new Map([["", 1]]) },
    { ...described, name: "c", type: "gauge", samples: new Map() },
    { ...described, name: "d", type: "histogram", histogram: new Histogram([1]) },
    { ...described, name: "a", type: "counter", samples },
  );
  expect(text.split("\n").filter((line) => !line.startsWith("#"))).toEqual([
    'a{a="x"} 2',
    'a{a="y"} 1',
    "b 1",
    "",
  ]);
});

test.each([
  [0, "0"],
  [0.0001, "0.0001"],
  [0.00005, "5e-05"],
  [-0.00005, "-5e-05"],
  [999_999, "999999"],
  [1_000_000, "1e+06"],
  [-2_592_000, "-2.592e+06"],
  [1e100, "1e+100"],
  [Number.NaN, "NaN"],
])("%d is written as Go does", (value, text) => {
  const family = { ...described, name: "x", type: "gauge", samples: new Map([["", value]]) } as const;
  expect(textOf(family)).toContain(`\nx ${text}\n`);
});

test("a deprecated metric says since when it is", () => {
  const family: MetricFamily = { ...described, name: "x", type: "gauge", samples: new Map([["", 1]]) };
  const text = metricText([{ family, stability: "STABLE", deprecated: "1.34" }]);
  expect(text).toContain("# HELP x [STABLE] (Deprecated since 1.34.0) What it is.\n");
});

test("a summary has quantiles, which are no numbers after its window, a sum and a count", async () => {
  const clock = new VirtualClock(0);
  const summary = new Summary(clock, 1000);
  for (const value of [1, 2, 3]) summary.observe('b="x"', value);
  await clock.advance(5000);
  summary.observe('a="x"', 4);
  summary.observe("", 5);
  const family: MetricFamily = { ...described, name: "seconds", type: "summary", summary };
  expect(textOf(family).split("\n")).toEqual([
    "# HELP seconds [ALPHA] What it is.",
    "# TYPE seconds summary",
    'seconds{quantile="0.5"} 5',
    'seconds{quantile="0.9"} 5',
    'seconds{quantile="0.99"} 5',
    "seconds_sum 5",
    "seconds_count 1",
    'seconds{a="x",quantile="0.5"} 4',
    'seconds{a="x",quantile="0.9"} 4',
    'seconds{a="x",quantile="0.99"} 4',
    'seconds_sum{a="x"} 4',
    'seconds_count{a="x"} 1',
    'seconds{b="x",quantile="0.5"} NaN',
    'seconds{b="x",quantile="0.9"} NaN',
    'seconds{b="x",quantile="0.99"} NaN',
    'seconds_sum{b="x"} 6',
    'seconds_count{b="x"} 3',
    "",
  ]);
});

test("a metric without values is left out with its description", () => {
  expect(textOf({ ...described, name: "a", type: "gauge", samples: new Map() })).toBe("");
});
