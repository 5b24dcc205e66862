import { expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import { ExpressionMetrics } from "./expression-metrics.ts";

// Upstream: apiserver, pkg/cel/metrics/metrics.go.
test("the durations of work on rules are observed in seconds, also of work that fails", () => {
  const clock = new VirtualClock(5_000);
  const metrics = new ExpressionMetrics(clock);
  const none = [["", expect.objectContaining({ sum: 0, count: 0 })]];
  expect([[...metrics.compilations.series], [...metrics.evaluations.series]]).toEqual([none, none]);
  const begin = clock.now();
  const work = () => {
    void clock.advance(1_500);
    return "done";
  };
  expect(metrics.measured("evaluations", work)).toBe("done");
  expect(clock.now() - begin).toBe(1_500);
  const fail = () => {
    void clock.advance(500);
    throw new Error("failed");
  };
  expect(() => metrics.measured("evaluations", fail)).toThrow("failed");
  expect([...metrics.evaluations.series]).toEqual([["", expect.objectContaining({ sum: 2, count: 2 })]]);
  expect([...metrics.compilations.series]).toEqual(none);
  metrics.measured("compilations", work);
  expect([...metrics.compilations.series]).toEqual([["", expect.objectContaining({ sum: 1.5, count: 1 })]]);
  metrics.reset();
  expect([[...metrics.compilations.series], [...metrics.evaluations.series]]).toEqual([none, none]);
});
