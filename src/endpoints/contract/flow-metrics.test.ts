import { expect, test } from "vitest";
import { FlowMetrics } from "./flow-metrics.ts";

const labels = (schema: string, level: string) => `flow_schema="${schema}",priority_level="${level}"`;

test("a flow is counted as soon as it had a request, and keeps its counts under its names", () => {
  const flows = new FlowMetrics();
  const counts = flows.countsOf("a", "low");
  flows.countsOf("b", "low").rejected += 1;
  expect(flows.all).toEqual([
    [labels("b", "low"), { priorityLevel: "low", dispatched: 0, rejected: 1, executing: 0 }],
  ]);
  counts.dispatched += 1;
  counts.executing += 1;
  expect(flows.countsOf("a", "low")).toBe(counts);
  expect(flows.countsOf("a", "high")).not.toBe(counts);
  expect(flows.all.map(([name]) => name)).toEqual([labels("a", "low"), labels("b", "low")]);
});

test("a reset forgets what was, not what is", () => {
  const flows = new FlowMetrics();
  const counts = flows.countsOf("a", "low");
  Object.assign(counts, { dispatched: 3, rejected: 2, executing: 1 });
  flows.reset();
  expect(flows.all).toEqual([]);
  expect(counts).toEqual({ priorityLevel: "low", dispatched: 0, rejected: 0, executing: 1 });
});
