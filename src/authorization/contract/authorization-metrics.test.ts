import { expect, test } from "vitest";
import { AuthorizationMetrics } from "./authorization-metrics.ts";
import type { Decision } from "./authorizer.ts";

// Upstream: apiserver, pkg/endpoints/filters/metrics.go.
test.each<[Decision, string]>([
  [{ verdict: "allow", reason: "" }, "allowed"],
  [{ verdict: "allow", reason: "", error: "a role is missing" }, "allowed"],
  [{ verdict: "deny", reason: "" }, "denied"],
  [{ verdict: "deny", reason: "", error: "a role is missing" }, "error"],
  [{ verdict: "noOpinion", reason: "" }, "no-opinion"],
  [{ verdict: "noOpinion", reason: "", error: "a role is missing" }, "error"],
])("the attempt that ends with %j counts as %s", (decision, result) => {
  const metrics = new AuthorizationMetrics();
  metrics.countAttempt(decision, 0.5);
  expect([...metrics.attempts.series]).toEqual([
    [`result="${result}"`, expect.objectContaining({ sum: 0.5, count: 1 })],
  ]);
});

// Upstream: apiserver, pkg/authorization/cel/metrics.go and plugin/pkg/authorizer/webhook/metrics/metrics.go.
test("the durations have upstream's bounds", () => {
  const { attempts, matchConditions, webhookCalls } = new AuthorizationMetrics();
  expect(attempts.bounds.slice(0, 3)).toEqual([0.001, 0.002, 0.004]);
  expect(attempts.bounds).toHaveLength(15);
  expect(matchConditions.bounds).toEqual([0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25]);
  expect(webhookCalls.bounds).toEqual([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]);
});

test("counters count by their labels until they are reset", () => {
  const metrics = new AuthorizationMetrics();
  metrics.count("decisions_total", 'name="a"');
  metrics.count("decisions_total", 'name="b"');
  metrics.count("decisions_total", 'name="a"');
  metrics.countAttempt({ verdict: "allow", reason: "" }, 1);
  metrics.matchConditions.observe("", 1);
  metrics.webhookCalls.observe("", 1);
  expect([...metrics.samples("decisions_total")]).toEqual([
    ['name="a"', 2],
    ['name="b"', 1],
  ]);
  expect([...metrics.samples("webhook_evaluations_total")]).toEqual([]);
  metrics.reset();
  const { attempts, matchConditions, webhookCalls } = metrics;
  expect([attempts, matchConditions, webhookCalls].map(({ series }) => series.size)).toEqual([0, 0, 0]);
  expect(metrics.samples("decisions_total").size).toBe(0);
});

test("without a configuration, nothing is read again", () => {
  expect(new AuthorizationMetrics().reloads()).toBeUndefined();
});
