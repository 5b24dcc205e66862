import { expect, test } from "vitest";
import type { Release } from "../../src/apimachinery/release.ts";
import { createCluster } from "../../src/index.ts";

/** What `/metrics` says of metrics whose descriptions or labels changed. Upstream: apiserver and component-base at these releases. */
const lines: readonly (readonly [Release, string])[] = [
  [
    "1.22",
    "# HELP apiserver_flowcontrol_current_executing_requests [ALPHA] Number of requests currently executing in the API Priority and Fairness system",
  ],
  [
    "1.23",
    "# HELP apiserver_flowcontrol_current_executing_requests [ALPHA] Number of requests in regular execution phase in the API Priority and Fairness system",
  ],
  [
    "1.24",
    "# HELP apiserver_flowcontrol_current_executing_requests [ALPHA] Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem",
  ],
  [
    "1.23",
    "# HELP apiserver_flowcontrol_request_concurrency_in_use [ALPHA] Concurrency (number of seats) occupided by the currently executing (all phases count) requests in the API Priority and Fairness system",
  ],
  [
    "1.20",
    "# HELP apiserver_flowcontrol_dispatched_requests_total [ALPHA] Number of requests released by API Priority and Fairness system for service",
  ],
  [
    "1.20",
    "# HELP etcd_object_counts [ALPHA] Number of stored objects at the time of last check split by kind.",
  ],
  [
    "1.21",
    "# HELP etcd_object_counts [ALPHA] Number of stored objects at the time of last check split by kind. This metric is replaced by apiserver_storage_object_counts.",
  ],
  [
    "1.28",
    "# HELP apiserver_storage_objects [STABLE] Number of stored objects at the time of last check split by kind.",
  ],
  [
    "1.29",
    "# HELP apiserver_storage_objects [STABLE] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.",
  ],
];

test.each(lines)("%s writes %s", async (release, line) => {
  const text = await metricsOf(release);
  expect(text.split("\n")).toContain(line);
});

test("the labels of the build have the names of its fields until 1.18", async () => {
  expect(await metricsOf("1.18")).toContain(',gitVersion="v1.18.0",');
  expect(await metricsOf("1.19")).toContain(',git_version="v1.19.0",');
});

async function metricsOf(release: Release): Promise<string> {
  await using cluster = createCluster({ release });
  await (await cluster.fetch("https://cluster.test/api/v1/pods")).text();
  return (await cluster.fetch("https://cluster.test/metrics")).text();
}
