import { describe, expect, test } from "vitest";
import type { RoutedRequest } from "../../request/routed-request.ts";
import { ServerMetrics } from "./server-metrics.ts";

const route: RoutedRequest = {
  endpoint: {},
  verb: "GET",
  dryRun: "",
  group: "apps",
  version: "v1",
  resource: "deployments",
  subresource: "",
  scope: "resource",
  removedRelease: undefined,
};
const labels = (code: number, verb = "GET", scope = "resource", dryRun = "") =>
  `code="${code}",component="apiserver",dry_run="${dryRun}",group="apps",resource="deployments",scope="${scope}",subresource="",verb="${verb}",version="v1"`;

describe("the metrics of a server", () => {
  test("count requests with equal labels together", () => {
    const metrics = new ServerMetrics();
    metrics.countRequest(route, 200);
    metrics.countRequest({ ...route }, 200);
    metrics.countRequest(route, 404);
    metrics.countRequest({ ...route, verb: "PUT" }, 200);
    metrics.countRequest({ ...route, scope: "cluster" }, 200);
    metrics.countRequest({ ...route, dryRun: "All" }, 200);
    expect([...metrics.requests]).toEqual([
      [labels(200), 2],
      [labels(404), 1],
      [labels(200, "PUT"), 1],
      [labels(200, "GET", "cluster"), 1],
      [labels(200, "GET", "resource", "All"), 1],
    ]);
    expect(metrics.deprecated.size).toBe(0);
  });

  test("name the deprecated versions that were requested, once", () => {
    const metrics = new ServerMetrics();
    const deprecated = { ...route, removedRelease: "1.40" };
    metrics.countRequest(deprecated, 200);
    metrics.countRequest(deprecated, 404);
    metrics.countRequest({ ...route, endpoint: {}, removedRelease: "" }, 200);
    const of = (removed: string) =>
      `group="apps",removed_release="${removed}",resource="deployments",subresource="",version="v1"`;
    expect([...metrics.deprecated]).toEqual([
      [of("1.40"), 1],
      [of(""), 1],
    ]);
  });

  test("count health checks by name and endpoint", () => {
    const metrics = new ServerMetrics();
    for (const endpoint of ["livez", "readyz", "livez"]) metrics.countHealthCheck("ping", endpoint);
    expect([...metrics.healthChecks]).toEqual([
      ['name="ping",status="success",type="livez"', 2],
      ['name="ping",status="success",type="readyz"', 1],
    ]);
  });

  test("start again after a reset", () => {
    const metrics = new ServerMetrics();
    metrics.countRequest(route, 200);
    metrics.countHealthCheck("ping", "livez");
    metrics.reset();
    const { requests, healthChecks } = metrics;
    expect([requests, healthChecks].map(({ size }) => size)).toEqual([0, 0]);
  });
});
