import { expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { Release } from "../../apimachinery/release.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { WorkQueueMetrics } from "../contract/work-queue-metrics.ts";
import { readQueues, workQueueFamilies } from "./work-queue-families.ts";

const start = "2030-01-01T00:00:00Z";

test("a key waits, is processed and retried in each of its queues", async () => {
  const clock = new VirtualClock(start);
  const metrics = new WorkQueueMetrics(clock);
  metrics.added("x", ["a", "b"]);
  metrics.added("x", ["a", "b"]);
  metrics.added("y", ["a"]);
  await clock.advance(2000);
  expect(Object.fromEntries(readQueues(metrics, []).depth)).toEqual({ 'name="a"': 2, 'name="b"': 1 });
  metrics.taken("x");
  await clock.advance(500);
  metrics.retried("x");
  const during = readQueues(metrics, []);
  expect(Object.fromEntries(during.depth)).toEqual({ 'name="a"': 1, 'name="b"': 0 });
  expect(during.unfinished.get('name="a"')).toBe(0.5);
  expect(during.longest.get('name="b"')).toBe(0.5);
  metrics.done("x");
  metrics.dropped("y");
  const after = readQueues(metrics, ["c"]);
  expect(Object.fromEntries(after.adds)).toEqual({ 'name="a"': 2, 'name="b"': 1, 'name="c"': 0 });
  expect(Object.fromEntries(after.retries)).toEqual({ 'name="a"': 1, 'name="b"': 1, 'name="c"': 0 });
  expect(after.depth.get('name="a"')).toBe(0);
  expect(after.unfinished.get('name="a"')).toBe(0);
  expect(after.latencies.series.get('name="a"')).toMatchObject({ count: 1, sum: 2 });
  expect(after.durations.series.get('name="b"')).toMatchObject({ count: 1, sum: 0.5 });
});

test("a key that comes again while it is processed waits for itself", () => {
  const metrics = new WorkQueueMetrics(new VirtualClock(start));
  metrics.added("x", ["a"]);
  metrics.taken("x");
  metrics.added("x", ["a"]);
  metrics.done("x");
  const { adds, depth, durations } = readQueues(metrics, []);
  expect([adds, depth].map((samples) => samples.get('name="a"'))).toEqual([2, 1]);
  expect(durations.series.get('name="a"')?.count).toBe(1);
});

test("keys of controllers of other programs are not counted", () => {
  const metrics = new WorkQueueMetrics(new VirtualClock(start));
  metrics.taken("x");
  metrics.retried("x");
  metrics.done("x");
  expect(readQueues(metrics, []).adds.size).toBe(0);
});

test("the queue without delays has no retries", () => {
  const workQueueMetrics = new WorkQueueMetrics(new VirtualClock(start));
  for (const queue of ["admission_quota_controller", "a"]) {
    workQueueMetrics.added(queue, [queue]);
    workQueueMetrics.taken(queue);
    workQueueMetrics.done(queue);
  }
  // The families depend on nothing else.
  const environment = { workQueueMetrics, gates: featureGates("1.32") } as unknown as EndpointEnvironment;
  const families = workQueueFamilies(environment);
  const queuesOf = (metric: string) => {
    const family = families.find(({ name }) => name === metric);
    return family !== undefined && "samples" in family ? [...family.samples.keys()] : [];
  };
  expect(queuesOf("workqueue_adds_total")).toContain('name="admission_quota_controller"');
  expect(queuesOf("workqueue_retries_total")).toContain('name="a"');
  expect(queuesOf("workqueue_retries_total")).not.toContain('name="admission_quota_controller"');
});

test("a server shows the queues that its release and its gates have, by their names", () => {
  const queuesOf = (release: Release, gates: readonly (readonly [string, boolean])[] = []) => {
    const workQueueMetrics = new WorkQueueMetrics(new VirtualClock(start));
    // The families depend on nothing else.
    const environment = {
      workQueueMetrics,
      gates: featureGates(release, new Map(gates)),
    } as unknown as EndpointEnvironment;
    const [adds] = workQueueFamilies(environment);
    return adds !== undefined && "samples" in adds
      ? [...adds.samples.keys()].map((labels) => labels.slice(6, -1))
      : [];
  };
  for (const release of ["1.16", "1.36"] as const)
    for (const name of queuesOf(release)) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9_.-]+$/);
  const gained = (before: Release, release: Release) =>
    queuesOf(release).filter((name) => !queuesOf(before).includes(name));
  expect(gained("1.16", "1.17")).toEqual([
    "DynamicServingCertificateController",
    "cluster_authentication_trust_controller",
  ]);
  expect(gained("1.17", "1.18")).toEqual([]);
  expect(gained("1.18", "1.19")).toEqual(["open_api_aggregation_controller"]);
  expect(gained("1.19", "1.18")).toEqual(["APIServiceOpenAPIAggregationControllerQueue1"]);
  expect(gained("1.26", "1.27")).toEqual(["discovery-manager", "legacy_token_tracking_controller"]);
  expect(gained("1.30", "1.31")).toEqual(["LocalAvailabilityController", "RemoteAvailabilityController"]);
  expect(gained("1.31", "1.30")).toEqual(["AvailableConditionController"]);
  expect(gained("1.32", "1.33")).toEqual(["ipaddresses", "ipallocator.k8s.io", "services"]);
  const all = queuesOf("1.28");
  const lost = (gate: string) => all.filter((name) => !queuesOf("1.28", [[gate, false]]).includes(name));
  expect(lost("OpenAPIV3")).toEqual(["open_api_v3_aggregation_controller", "crd_openapi_v3_controller"]);
  expect(lost("APIPriorityAndFairness")).toEqual(["priority_and_fairness_config_queue"]);
  expect(lost("LegacyServiceAccountTokenTracking")).toEqual(["legacy_token_tracking_controller"]);
});

test("the metrics of queues have names and types of Prometheus, and descriptions", () => {
  const workQueueMetrics = new WorkQueueMetrics(new VirtualClock(start));
  // The families depend on nothing else.
  const environment = { workQueueMetrics, gates: featureGates("1.32") } as unknown as EndpointEnvironment;
  const families = workQueueFamilies(environment);
  expect(families.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "workqueue_adds_total counter",
    "workqueue_depth gauge",
    "workqueue_longest_running_processor_seconds gauge",
    "workqueue_queue_duration_seconds histogram",
    "workqueue_retries_total counter",
    "workqueue_unfinished_work_seconds gauge",
    "workqueue_work_duration_seconds histogram",
  ]);
  for (const { help } of families) expect(help).toMatch(/^[A-Z].{20,}[a-z.]$/);
});
