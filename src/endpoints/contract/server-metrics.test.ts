import { describe, expect, test } from "vitest";
import { type Release, sinceOf } from "../../apimachinery/release.ts";
import type { RoutedRequest } from "../../request/routed-request.ts";
import { bytesOf, ServerMetrics } from "./server-metrics.ts";

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
const answered = (code: number, seconds = 0, bytes = 0) => ({ code, seconds, bytes });

const labels = (code: number, verb = "GET", scope = "resource", dryRun = "") =>
  `code="${code}",component="apiserver",dry_run="${dryRun}",group="apps",resource="deployments",scope="${scope}",subresource="",verb="${verb}",version="v1"`;

describe("the metrics of a server", () => {
  test("count requests with equal labels together", () => {
    const metrics = new ServerMetrics(sinceOf("1.32"));
    metrics.countRequest(route, answered(200));
    metrics.countRequest({ ...route }, answered(200));
    metrics.countRequest(route, answered(404));
    metrics.countRequest({ ...route, verb: "PUT" }, answered(200));
    metrics.countRequest({ ...route, scope: "cluster" }, answered(200));
    metrics.countRequest({ ...route, dryRun: "All" }, answered(200));
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
    const metrics = new ServerMetrics(sinceOf("1.32"));
    const deprecated = { ...route, removedRelease: "1.40" };
    metrics.countRequest(deprecated, answered(200));
    metrics.countRequest(deprecated, answered(404));
    metrics.countRequest({ ...route, endpoint: {}, removedRelease: "" }, answered(200));
    const of = (removed: string) =>
      `group="apps",removed_release="${removed}",resource="deployments",subresource="",version="v1"`;
    expect([...metrics.deprecated]).toEqual([
      [of("1.40"), 1],
      [of(""), 1],
    ]);
  });

  test("count health checks by name and endpoint", () => {
    const metrics = new ServerMetrics(sinceOf("1.32"));
    for (const endpoint of ["livez", "readyz", "livez"]) metrics.countHealthCheck("ping", endpoint);
    expect([...metrics.healthChecks]).toEqual([
      ['name="ping",status="success",type="livez"', 2],
      ['name="ping",status="success",type="readyz"', 1],
    ]);
  });

  test("start again after a reset", () => {
    const metrics = new ServerMetrics(sinceOf("1.32"));
    metrics.countRequest(route, answered(200));
    metrics.countHealthCheck("ping", "livez");
    metrics.reset();
    const { requests, healthChecks } = metrics;
    expect([requests, healthChecks].map(({ size }) => size)).toEqual([0, 0]);
  });

  test("measure durations and the sizes of the responses to reads", () => {
    const metrics = new ServerMetrics(sinceOf("1.32"));
    metrics.countRequest(route, answered(200, 0.3, 5000));
    metrics.countRequest(route, answered(404, 0.01, 200));
    metrics.countRequest({ ...route, verb: "PUT" }, answered(200, 90, 5000));
    metrics.countRequest(
      { ...route, verb: "LIST", scope: "cluster" },
      { ...answered(200), bytes: undefined },
    );
    const { durations, responseSizes } = metrics;
    expect(durations.bounds.slice(0, 3)).toEqual([0.005, 0.025, 0.05]);
    expect([...durations.series.values()].map(({ count, sum }) => [count, sum])).toEqual([
      [2, 0.31],
      [1, 90],
      [1, 0],
    ]);
    expect([...responseSizes.series]).toMatchObject([
      [labels(200).replace(/code="200",|dry_run="",/g, ""), { count: 2, sum: 5200 }],
    ]);
  });

  test("have the bounds of the release", () => {
    const boundsOf = (release: Release) => new ServerMetrics(sinceOf(release)).durations.bounds;
    expect([boundsOf("1.22").length, boundsOf("1.24").length, boundsOf("1.25").length]).toEqual([37, 21, 23]);
  });

  test("count a watch as long as it is open, and then its duration", () => {
    const metrics = new ServerMetrics(sinceOf("1.32"));
    const watch = { ...route, verb: "WATCH", scope: "namespace" } as const;
    const end = metrics.openWatch(watch);
    metrics.countRequest(watch, { ...answered(200), bytes: undefined });
    expect([[...metrics.longRunning.values()], metrics.durations.series.size]).toEqual([[1], 0]);
    end(30);
    expect([...metrics.longRunning.values()]).toEqual([0]);
    expect([...metrics.durations.series.values()]).toMatchObject([{ count: 1, sum: 30 }]);
    metrics.countRequest(watch, answered(410, 2));
    expect([...metrics.durations.series.values()]).toMatchObject([{ count: 2, sum: 32 }]);
  });
});

test("a watch is measured when it ends, or when it fails", () => {
  const metrics = new ServerMetrics(sinceOf("1.32"));
  const watch = { ...route, verb: "WATCH" };
  for (const code of [200, 399, 400, 500]) metrics.countRequest(watch, answered(code, 2, 5000));
  metrics.countRequest(route, answered(200, 1, undefined));
  const end = metrics.openWatch(watch);
  const open = () => Object.fromEntries(metrics.longRunning);
  const watchLabels = labels(200, "WATCH").replace(/code="200",|dry_run="",/g, "");
  expect(open()).toEqual({ [watchLabels]: 1 });
  end(7);
  expect(open()).toEqual({ [watchLabels]: 0 });
  const durations = [...metrics.durations.series].map(([name, { count, sum }]) => [name, count, sum]);
  expect(durations).toEqual([
    [labels(200, "WATCH").replace('code="200",', ""), 3, 11],
    [labels(200).replace('code="200",', ""), 1, 1],
  ]);
});

test("the sizes of single gets and lists are measured", () => {
  const metrics = new ServerMetrics(sinceOf("1.32"));
  for (const verb of ["GET", "LIST", "PUT", "POST", "WATCH"])
    metrics.countRequest({ ...route, verb }, answered(200, 0, 5));
  const { bounds, series } = metrics.responseSizes;
  expect(bounds).toEqual([1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]);
  expect([...series.keys()].map((name) => /verb="(\w+)"/.exec(name)?.[1])).toEqual(["GET", "LIST"]);
});

const common = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

test.each<[Release, readonly number[]]>([
  ["1.25", [0.005, 0.025, ...common]],
  ["1.24", common],
  ["1.23", common],
  [
    "1.22",
    [
      ...[0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9],
      ...[1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60],
    ],
  ],
])("the durations of %s have upstream's buckets", (release, bounds) => {
  expect(new ServerMetrics(sinceOf(release)).durations.bounds).toEqual(bounds);
});

test("the initial events of watches are measured by resource and scope, until a reset", () => {
  const metrics = new ServerMetrics(sinceOf("1.36"));
  metrics.countWatchList({ ...route, scope: "namespace" }, 0.3);
  metrics.countWatchList({ ...route, scope: "namespace" }, 90);
  const { bounds, series } = metrics.watchLists;
  expect([bounds.length, bounds[0], bounds.at(-1)]).toEqual([17, 0.05, 60]);
  const labels = 'group="apps",resource="deployments",scope="namespace",version="v1"';
  expect([...series].map(([name, { count, sum }]) => [name, count, sum])).toEqual([[labels, 2, 90.3]]);
  metrics.reset();
  expect(metrics.watchLists.series.size).toBe(0);
});

test.each<[Release, string]>([
  ["1.16", `client="",${labels(200).replace(",dry_run", ',contentType="application/json",dry_run')}`],
  ["1.18", labels(200).replace(",dry_run", ',contentType="application/json",dry_run')],
  ["1.20", labels(200).replace(",dry_run", ',contentType="application/json",dry_run')],
  ["1.21", labels(200)],
])("the labels of a request in %s", (release, expected) => {
  const metrics = new ServerMetrics(sinceOf(release));
  metrics.countRequest(route, { ...answered(200), headers: [["Content-Type", "application/json"]] });
  expect([...metrics.requests.keys()]).toEqual([expected]);
});

test.each([
  ["nothing", undefined, 0],
  ["one piece", new Uint8Array(3), 3],
  ["several pieces", [new Uint8Array(3), new Uint8Array(4)], 7],
  ["a stream", (async function* () {})(), undefined],
])("the bytes of %s", (_title, body, expected) => {
  expect(bytesOf(body)).toBe(expected);
});

// Upstream: apiserver, pkg/endpoints/metrics/metrics.go, cleanContentType.
test.each([
  ["application/apply-patch+yaml", "application/apply-patch+yaml"],
  ["application/json", "application/json"],
  ["Application/JSON", "application/json"],
  ["application/json-patch+json", "application/json-patch+json"],
  ["application/merge-patch+json", "application/merge-patch+json"],
  ["application/strategic-merge-patch+json", "application/strategic-merge-patch+json"],
  ["application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf"],
  ["application/vnd.kubernetes.protobuf; stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"],
  ["application/yaml", "application/yaml"],
  ["text/plain", "text/plain"],
  ["text/plain; charset=utf-8", "text/plain;charset=utf-8"],
  ["text/html", "other"],
  ["application/json; stream=watch", "other"],
])("releases before 1.21 count a response of the type %s as %s", (sent, reported) => {
  const metrics = new ServerMetrics(sinceOf("1.20"));
  const headers = [
    ["Cache-Control", "no-cache"],
    ["CONTENT-TYPE", sent],
  ] as const;
  metrics.countRequest(route, { ...answered(200), headers });
  metrics.countRequest(route, { ...answered(200), headers });
  expect([...metrics.requests]).toEqual([
    [labels(200).replace(",dry_run", `,contentType="${reported}",dry_run`), 2],
  ]);
});

test("responses of several types and without one are counted apart before 1.21, and together since", () => {
  const countsOf = (release: Release) => {
    const metrics = new ServerMetrics(sinceOf(release));
    for (const type of ["application/json", "text/plain", "application/json"])
      metrics.countRequest(route, { ...answered(200), headers: [["content-type", type]] });
    metrics.countRequest(route, answered(200));
    return [...metrics.requests].map(([name, count]) => [/contentType="([^"]*)"/.exec(name)?.[1], count]);
  };
  expect(countsOf("1.20")).toEqual([
    ["application/json", 2],
    ["text/plain", 1],
    ["other", 1],
  ]);
  expect(countsOf("1.21")).toEqual([[undefined, 4]]);
});
