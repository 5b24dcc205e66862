import { expect, test } from "vitest";
import { type ConversionFailure, ConversionMetrics } from "./conversion-metrics.ts";

const conversion = { definition: "things.example.com", from: "v1", to: "v2" };
const labels = (succeeded: boolean) =>
  `crd_name="things.example.com",from_version="v1",succeeded="${succeeded}",to_version="v2"`;

// Upstream: apiextensions-apiserver, pkg/apiserver/conversion/metrics.go.
test.each<[ConversionFailure | undefined, boolean, string]>([
  [undefined, true, 'failure_type="",result="success"'],
  ["call", false, 'failure_type="conversion_webhook_call_failure",result="failure"'],
  ["partial_response", false, 'failure_type="conversion_webhook_partial_response_failure",result="failure"'],
])("a conversion with the failure %s is observed", (failure, succeeded, request) => {
  const metrics = new ConversionMetrics();
  metrics.observe(conversion, failure, 2500);
  const observed = expect.objectContaining({ sum: 2.5, count: 1 });
  expect([...metrics.conversions.series]).toEqual([[labels(succeeded), observed]]);
  expect([...metrics.requests.series]).toEqual([[request, observed]]);
  metrics.reset();
  expect([metrics.conversions.series.size, metrics.requests.series.size]).toEqual([0, 0]);
});

test("the durations have upstream's bounds", () => {
  const { conversions, requests } = new ConversionMetrics();
  expect(conversions.bounds.slice(0, 3)).toEqual([0.001, 0.002, 0.004]);
  expect(conversions.bounds).toHaveLength(15);
  expect(requests.bounds).toEqual([0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60]);
});
