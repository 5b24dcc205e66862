import { expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { Distribution } from "../../apimachinery/histogram.ts";
import { emptyCounts, WorkQueueMetrics, workQueueBounds } from "./work-queue-metrics.ts";

function newMetrics() {
  const clock = new VirtualClock("2030-01-01T00:00:00Z");
  return { clock, metrics: new WorkQueueMetrics(clock) };
}

const measured = ({ count, sum }: Distribution) => [count, sum];

/** The numbers of a queue: keys that entered it, failures, and how long keys waited and took. */
function numbersOf(metrics: WorkQueueMetrics, queue: string) {
  const { adds, retries, latencies, durations } = metrics.counts.get(queue) ?? emptyCounts();
  return { adds, retries, latencies: measured(latencies), durations: measured(durations) };
}

test("a key waits in each of its queues, is processed, and is gone", async () => {
  const { clock, metrics } = newMetrics();
  metrics.added("a", ["first", "second"]);
  metrics.added("b", ["second"]);
  expect([metrics.depth("first"), metrics.depth("second"), metrics.depth("third")]).toEqual([1, 2, 0]);
  expect(metrics.processing("first")).toEqual([]);
  await clock.advance(2000);
  metrics.taken("a");
  expect([metrics.depth("first"), metrics.depth("second")]).toEqual([0, 1]);
  await clock.advance(500);
  expect([metrics.processing("first"), metrics.processing("second")]).toEqual([[0.5], [0.5]]);
  metrics.done("a");
  expect(metrics.processing("first")).toEqual([]);
  expect(numbersOf(metrics, "first")).toEqual({
    adds: 1,
    retries: 0,
    latencies: [1, 2],
    durations: [1, 0.5],
  });
  expect(numbersOf(metrics, "second")).toEqual({
    adds: 2,
    retries: 0,
    latencies: [1, 2],
    durations: [1, 0.5],
  });
  expect([...metrics.counts.keys()]).toEqual(["first", "second"]);
});

test("a key that waits is not added again; one that is processed is", () => {
  const { metrics } = newMetrics();
  for (let time = 0; time < 3; time++) metrics.added("a", ["first"]);
  expect([metrics.depth("first"), numbersOf(metrics, "first").adds]).toEqual([1, 1]);
  metrics.taken("a");
  metrics.added("a", ["first"]);
  expect([metrics.depth("first"), numbersOf(metrics, "first").adds]).toEqual([1, 2]);
});

test("a key without queues is not kept: it may enter one later", () => {
  const { metrics } = newMetrics();
  metrics.added("a", []);
  metrics.added("a", ["first"]);
  expect([metrics.depth("first"), numbersOf(metrics, "first").adds]).toEqual([1, 1]);
});

test("only a key that is processed is retried", () => {
  const { metrics } = newMetrics();
  metrics.added("a", ["first", "second"]);
  metrics.retried("a");
  expect(numbersOf(metrics, "first").retries).toBe(0);
  metrics.taken("a");
  metrics.retried("a");
  metrics.retried("unknown");
  metrics.done("a");
  metrics.retried("a");
  expect([numbersOf(metrics, "first").retries, numbersOf(metrics, "second").retries]).toEqual([1, 1]);
});

test("a key that is dropped has neither waited nor been processed", () => {
  const { metrics } = newMetrics();
  metrics.added("a", ["first"]);
  metrics.dropped("a");
  metrics.taken("a");
  metrics.done("a");
  expect(metrics.depth("first")).toBe(0);
  expect(numbersOf(metrics, "first")).toEqual({ adds: 1, retries: 0, latencies: [0, 0], durations: [0, 0] });
});

test("work is over once", () => {
  const { metrics } = newMetrics();
  metrics.added("a", ["first"]);
  for (let time = 0; time < 2; time++) metrics.taken("a");
  for (let time = 0; time < 2; time++) metrics.done("a");
  expect(numbersOf(metrics, "first")).toMatchObject({ latencies: [1, 0], durations: [1, 0] });
});

// Upstream: component-base, metrics/prometheus/workqueue/metrics.go, ExponentialBuckets(10e-9, 10, 10).
test("the buckets begin with ten nanoseconds, and each is ten times as long", () => {
  expect(workQueueBounds).toEqual([1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10]);
});
