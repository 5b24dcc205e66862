import parsePrometheusText, { type ParsedFamily } from "parse-prometheus-text-format";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Cluster, type ClusterOptions, createCluster } from "../../src/index.ts";

function start(options: ClusterOptions = {}): Cluster {
  const cluster = createCluster(options);
  onTestFinished(() => cluster.close());
  return cluster;
}

/**
 * The metrics that an independent parser finds, by name. It drops the labels of histograms, so it also reads their lines as
 * metrics of their own: `x_bucket`, `x_sum` and `x_count`.
 */
async function scrape(cluster: Cluster): Promise<ReadonlyMap<string, ParsedFamily>> {
  const response = await cluster.fetch("https://cluster.test/metrics");
  const text = await response.text();
  // Sorted, since it expects the lines of a metric together.
  const lines = text.split("\n").filter((line) => !line.startsWith("#"));
  const families = [...parsePrometheusText(lines.toSorted().join("\n")), ...parsePrometheusText(text)];
  return new Map(families.map((family) => [family.name, family]));
}

/** The metric with labels among which are the given ones. */
function sample(family: ParsedFamily | undefined, wanted: { readonly [label: string]: string }) {
  return family?.metrics.find(({ labels = {} }) =>
    Object.entries(wanted).every(([label, value]) => labels[label] === value),
  );
}

const podMetrics = { resource: "pods", group: "", version: "v1", component: "apiserver", subresource: "" };

async function readPods(cluster: Cluster): Promise<void> {
  await cluster.fetch("https://cluster.test/api/v1/namespaces/default/pods");
  await cluster.fetch("https://cluster.test/api/v1/namespaces/default/pods/missing");
}

describe("the metrics of 1.32", () => {
  test("have the types and levels of upstream's list", async () => {
    const cluster = start();
    await readPods(cluster);
    await cluster.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", namespace: "default" },
    });
    const families = await scrape(cluster);
    const found = [...families.values()]
      .filter(({ help }) => /^\[(BETA|STABLE)\]/.test(help))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, type, help }) => [name, type, /^\[(\w+)\]/.exec(help)?.[1]]);
    expect(found).toEqual([
      ["apiserver_admission_controller_admission_duration_seconds", "HISTOGRAM", "STABLE"],
      ["apiserver_admission_step_admission_duration_seconds", "HISTOGRAM", "STABLE"],
      ["apiserver_cel_compilation_duration_seconds", "HISTOGRAM", "BETA"],
      ["apiserver_cel_evaluation_duration_seconds", "HISTOGRAM", "BETA"],
      ["apiserver_current_inflight_requests", "GAUGE", "STABLE"],
      ["apiserver_flowcontrol_current_executing_requests", "GAUGE", "BETA"],
      ["apiserver_flowcontrol_current_executing_seats", "GAUGE", "BETA"],
      ["apiserver_flowcontrol_current_inqueue_requests", "GAUGE", "BETA"],
      ["apiserver_flowcontrol_dispatched_requests_total", "COUNTER", "BETA"],
      ["apiserver_flowcontrol_nominal_limit_seats", "GAUGE", "BETA"],
      ["apiserver_flowcontrol_request_wait_duration_seconds", "HISTOGRAM", "BETA"],
      ["apiserver_request_duration_seconds", "HISTOGRAM", "STABLE"],
      ["apiserver_request_total", "COUNTER", "STABLE"],
      ["apiserver_response_sizes", "HISTOGRAM", "STABLE"],
      ["apiserver_storage_objects", "GAUGE", "STABLE"],
      ["apiserver_storage_size_bytes", "GAUGE", "STABLE"],
      ["disabled_metrics_total", "COUNTER", "BETA"],
      ["hidden_metrics_total", "COUNTER", "BETA"],
      ["kubernetes_feature_enabled", "GAUGE", "BETA"],
      ["registered_metrics_total", "COUNTER", "BETA"],
    ]);
  });

  test("measure requests by the clock of the cluster, and the bytes of reads", async () => {
    const cluster = start();
    await readPods(cluster);
    const list = await cluster.fetch("https://cluster.test/api/v1/namespaces/default/pods");
    const bytes = (await list.arrayBuffer()).byteLength;
    const families = await scrape(cluster);
    const lists = { ...podMetrics, verb: "LIST", scope: "namespace" };
    const readingOf = (name: string, labels = {}) =>
      sample(families.get(name), { ...lists, ...labels })?.value;
    expect(readingOf("apiserver_request_duration_seconds_count", { dry_run: "" })).toBe("2");
    expect(readingOf("apiserver_request_duration_seconds_bucket", { le: "60" })).toBe("2");
    expect(readingOf("apiserver_response_sizes_count")).toBe("2");
    expect(readingOf("apiserver_response_sizes_sum")).toBe(String(2 * bytes));
    expect(readingOf("apiserver_response_sizes_bucket", { le: "1000" })).toBe("2");
    const gets = { ...podMetrics, verb: "GET", scope: "resource", code: "404" };
    expect(sample(families.get("apiserver_request_total"), gets)).toMatchObject({ value: "1" });
  });

  test("count watches while they are open", async () => {
    const cluster = start({ seed: 1 });
    const watches = { ...podMetrics, verb: "WATCH", scope: "cluster" };
    const open = async () =>
      sample((await scrape(cluster)).get("apiserver_longrunning_requests"), watches)?.value;
    const controller = new AbortController();
    await cluster.fetch("https://cluster.test/api/v1/pods?watch=1", { signal: controller.signal });
    expect(await open()).toBe("1");
    await cluster.clock.advance("10s");
    controller.abort();
    await expect.poll(open).toBe("0");
    const durations = (await scrape(cluster)).get("apiserver_request_duration_seconds_sum");
    expect(sample(durations, watches)?.value).toBe("10");
  });

  test("count requests by flow, and share the seats of the server between the levels", async () => {
    const cluster = start({ maxRequestsInflight: 100, maxMutatingRequestsInflight: 45 });
    await readPods(cluster);
    const families = await scrape(cluster);
    const flow = { flow_schema: "global-default", priority_level: "global-default" };
    const readingOf = (name: string) => sample(families.get(`apiserver_flowcontrol_${name}`), flow)?.value;
    // The last is the request for the metrics, which is still executing.
    expect(readingOf("dispatched_requests_total")).toBe("3");
    expect(readingOf("current_executing_requests")).toBe("1");
    expect(readingOf("current_inqueue_requests")).toBe("0");
    expect(readingOf("request_wait_duration_seconds_count")).toBe("3");
    const limits = families.get("apiserver_flowcontrol_nominal_limit_seats")?.metrics ?? [];
    const seats = Object.fromEntries(limits.map(({ labels, value }) => [labels?.["priority_level"], value]));
    // 245 shares of 145 seats.
    expect(seats).toMatchObject({ exempt: "0", "catch-all": "3", system: "18", "workload-low": "60" });
  });

  test("name the features with their stages", async () => {
    const families = await scrape(start({ featureGates: { CBORServingAndStorage: true } }));
    const features = families.get("kubernetes_feature_enabled");
    const stateOf = (name: string) => {
      const { labels, value } = sample(features, { name }) ?? {};
      return [labels?.["stage"], value];
    };
    expect(stateOf("CBORServingAndStorage")).toEqual(["ALPHA", "1"]);
    expect(stateOf("InPlacePodVerticalScaling")).toEqual(["ALPHA", "0"]);
    expect(stateOf("WatchList")).toEqual(["BETA", "1"]);
    expect(stateOf("CustomResourceFieldSelectors")).toEqual(["", "1"]);
    expect(stateOf("KMSv1")).toEqual(["DEPRECATED", "0"]);
  });

  test("start again after a reset", async () => {
    const cluster = start();
    await readPods(cluster);
    await cluster.fetch("https://cluster.test/metrics", { method: "DELETE" });
    const families = await scrape(cluster);
    expect(families.has("apiserver_request_duration_seconds")).toBe(false);
  });
});

test("a feature has the stage of the emulated release", async () => {
  const families = await scrape(start({ release: "1.34", emulatedVersion: "1.32" }));
  const feature = sample(families.get("kubernetes_feature_enabled"), { name: "DynamicResourceAllocation" });
  expect(feature).toMatchObject({ labels: { stage: "BETA" }, value: "0" });
  expect(families.get("version_info")?.metrics).toEqual([
    { labels: { binary: "1.34.0", component: "kube", emulation: "1.32", min_compat: "1.31" }, value: "1" },
  ]);
});

describe("a hidden metric", () => {
  const hidden = "apiserver_flowcontrol_request_concurrency_limit";

  test("is shown for the previous release", async () => {
    expect((await scrape(start({ release: "1.31" }))).has(hidden)).toBe(false);
    const families = await scrape(start({ release: "1.31", showHiddenMetricsForVersion: "1.30" }));
    expect(families.get(hidden)?.help).toMatch(/^\[ALPHA\] \(Deprecated since 1\.30\.0\) /);
  });

  test("is shown for no other release", () => {
    expect(() => createCluster({ release: "1.31", showHiddenMetricsForVersion: "1.29" })).toThrow(
      "--show-hidden-metrics-for-version must be omitted or have the value '1.30'. Only the previous minor version is allowed",
    );
  });
});

test("a disabled metric is not shown, but counted", async () => {
  const disabledMetrics = ["apiserver_request_total"];
  const cluster = start({ disabledMetrics });
  await readPods(cluster);
  const families = await scrape(cluster);
  expect(families.has("apiserver_request_total")).toBe(false);
  expect(families.get("disabled_metrics_total")?.metrics).toMatchObject([{ value: "1" }]);
});

test("deprecated versions can be joined with the requests for them", async () => {
  const cluster = start({ release: "1.24" });
  await cluster.fetch("https://cluster.test/apis/batch/v1beta1/cronjobs");
  const families = await scrape(cluster);
  const deprecated = families.get("apiserver_requested_deprecated_apis")?.metrics[0]?.labels;
  expect(deprecated).toEqual({
    ...{ group: "batch", version: "v1beta1", resource: "cronjobs", subresource: "" },
    removed_release: "1.25",
  });
  const { removed_release: _, ...joined } = deprecated ?? {};
  expect(sample(families.get("apiserver_request_total"), joined)).toMatchObject({ value: "1" });
});

test.each<[release: string, labels: object]>([
  ["1.17", { client: "", contentType: "application/json" }],
  ["1.18", { contentType: "application/json" }],
  ["1.20", { contentType: "application/json" }],
  ["1.21", {}],
])("requests to %s have the labels of the release", async (release, labels) => {
  const cluster = start({ release });
  await readPods(cluster);
  const total = (await scrape(cluster)).get("apiserver_request_total");
  const { client, contentType } = sample(total, { ...podMetrics, verb: "LIST" })?.labels ?? {};
  expect({
    ...(client !== undefined && { client }),
    ...(contentType !== undefined && { contentType }),
  }).toEqual(labels);
  expect(total?.help.includes(", client,")).toBe("client" in labels);
});

test("the size of the storage grows with its objects", async () => {
  const cluster = start();
  const size = async () =>
    Number((await scrape(cluster)).get("apiserver_storage_size_bytes")?.metrics[0]?.value);
  const before = await size();
  for (let i = 0; i < 100; i++) {
    await cluster.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `c${i}`, namespace: "default" },
    });
  }
  expect(await size()).toBeGreaterThan(before);
});

test("rules of custom resources are counted when they are compiled and evaluated", async () => {
  const cluster = start();
  const schema = {
    type: "object",
    properties: { size: { type: "integer" } },
    "x-kubernetes-validations": [{ rule: "!has(self.size) || self.size > 0" }],
  };
  await cluster.create({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  await cluster.settle();
  for (const name of ["a", "b"]) {
    await cluster.create({
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name, namespace: "default" },
    });
  }
  const families = await scrape(cluster);
  const countOf = (name: string) => families.get(`apiserver_cel_${name}_duration_seconds_count`)?.metrics;
  expect(countOf("compilation")).toMatchObject([{ value: "1" }]);
  expect(countOf("evaluation")).toMatchObject([{ value: "2" }]);
});

test("values of labels that are not allowed are counted together", async () => {
  const allowMetricLabels = {
    "apiserver_request_total,resource": "pods",
    "apiserver_request_duration_seconds,verb": "",
  };
  const cluster = start({ allowMetricLabels });
  await readPods(cluster);
  for (const resource of ["secrets", "services"]) {
    await cluster.fetch(`https://cluster.test/api/v1/namespaces/default/${resource}`);
  }
  const families = await scrape(cluster);
  const total = families.get("apiserver_request_total");
  expect(sample(total, { verb: "LIST", resource: "pods" })?.value).toBe("1");
  expect(sample(total, { verb: "LIST", resource: "unexpected" })?.value).toBe("2");
  expect(sample(total, { resource: "secrets" })).toBeUndefined();
  const durations = families.get("apiserver_request_duration_seconds_count");
  expect(sample(durations, { resource: "secrets" })?.labels).toMatchObject({ verb: "unexpected" });
});

test("allowed values belong to a metric and a label", () => {
  expect(() => createCluster({ allowMetricLabels: { apiserver_request_total: "x" } })).toThrow(
    'allowMetricLabels must have keys with format `metricName,labelName`, not "apiserver_request_total"',
  );
});
