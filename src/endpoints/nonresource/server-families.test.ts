import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { type Release, sinceOf } from "../../apimachinery/release.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { ConversionMetrics } from "../../registry/contract/conversion-metrics.ts";
import { ExpressionMetrics } from "../../registry/contract/expression-metrics.ts";
import { RepeatedErrors } from "../../registry/contract/repeated-errors.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { FlowMetrics } from "../contract/flow-metrics.ts";
import type { MetricFamily } from "../contract/metric-family.ts";
import { ServerMetrics } from "../contract/server-metrics.ts";
import { componentFamilies } from "./component-families.ts";
import { conversionFamilies } from "./conversion-families.ts";
import { expressionFamilies } from "./expression-families.ts";
import { flowFamilies } from "./flow-families.ts";
import { requestFamilies } from "./request-families.ts";
import { storageFamilies } from "./storage-families.ts";
import { validationFamilies } from "./validation-families.ts";

interface Level {
  readonly name?: string;
  readonly spec: JsonObject;
  readonly corrupt?: boolean;
}

/** What the families read of a server with these priority levels and flows. */
function environmentOf(
  release: Release,
  levels: readonly Level[] = [],
  flows = new FlowMetrics(),
  gates: readonly (readonly [string, boolean])[] = [],
): EndpointEnvironment {
  const items = levels.map(({ name, spec, corrupt = false }) => ({
    value: { metadata: name === undefined ? {} : { name }, spec },
    corrupt,
  }));
  const resources = [
    { group: "", version: "v1", resource: "pods", verbs: ["watch"] },
    { group: "", version: "v1", resource: "bindings", verbs: ["create"] },
    { group: "apps", version: "v1", resource: "deployments", verbs: ["get", "watch"] },
  ];
  const environment = {
    catalog: catalogOf({ release }),
    gates: featureGates(release, new Map(gates)),
    flows,
    inFlight: { limit: 10, takePeaks: () => ({ readOnly: 3, mutating: 2 }) },
    metrics: new ServerMetrics(sinceOf(release)),
    conversionMetrics: new ConversionMetrics(),
    expressionMetrics: new ExpressionMetrics(new VirtualClock(0)),
    repeatedErrors: new RepeatedErrors(),
    store: {
      range: ({ prefix }: { prefix: string }) => ({
        items: prefix === "/registry/prioritylevelconfigurations/" ? items : [],
      }),
      revision: 5,
      compactRevision: 1,
      watch: () => ({ drain: () => [{ key: "/registry/pods/default/a" }], close: () => {} }),
      count: (prefix: string) => (prefix === "/registry/pods/" ? 4 : 0),
    },
    served: {
      current: {
        groupVersions: () => [
          { group: "", version: "v1" },
          { group: "apps", version: "v1" },
        ],
        resources: ({ group }: { group: string }) => resources.filter((one) => one.group === group),
        facts: ({ resource }: { resource: string }) => ({ storagePrefix: `/registry/${resource}` }),
      },
    },
  };
  // The families read nothing else.
  return environment as unknown as EndpointEnvironment;
}

const makers = [
  conversionFamilies,
  expressionFamilies,
  validationFamilies,
  requestFamilies,
  flowFamilies,
  storageFamilies,
  componentFamilies,
];
const familiesOf = (environment: EndpointEnvironment) => makers.flatMap((make) => make(environment));

/** The values of a metric by their labels. */
function samplesOf(families: readonly MetricFamily[], name: string): Readonly<Record<string, number>> {
  const family = families.find((one) => one.name === name) ?? expect.unreachable(`${name} is missing`);
  if (family.type === "summary") return expect.unreachable(`${name} is a summary`);
  if (family.type !== "histogram") return Object.fromEntries(family.samples);
  return Object.fromEntries([...family.histogram.series].map(([labels, { count }]) => [labels, count]));
}

test("the metrics of requests, flows, storage and the component have names of Prometheus and descriptions", () => {
  for (const release of ["1.18", "1.27", "1.36"] as const) {
    const families = familiesOf(environmentOf(release));
    for (const { name, help } of families) {
      expect(name).toMatch(/^[a-z]+(_[a-z0-9]+)+$/);
      // Upstream describes those of rules since 1.27.
      if (release === "1.18" && name.startsWith("apiserver_cel_")) expect(help).toBe("");
      else expect(help).toMatch(/^(?:[A-Z]|\[DEPRECATED, ).{20,}[a-z).1]$/);
    }
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  }
});

test("the metrics of 1.36 have these types", () => {
  const types = familiesOf(environmentOf("1.36")).map(({ name, type }) => [name, type]);
  const flow = "apiserver_flowcontrol";
  expect(types).toEqual([
    ["apiserver_conversion_webhook_duration_seconds", "histogram"],
    ["apiserver_conversion_webhook_request_total", "counter"],
    ["apiserver_crd_conversion_webhook_duration_seconds", "histogram"],
    ["apiserver_cel_compilation_duration_seconds", "histogram"],
    ["apiserver_cel_evaluation_duration_seconds", "histogram"],
    ["apiserver_validation_declarative_validation_mismatch_total", "counter"],
    ["apiserver_validation_declarative_validation_panic_total", "counter"],
    ["apiserver_validation_duplicate_validation_error_total", "counter"],
    ["apiserver_current_inflight_requests", "gauge"],
    ["apiserver_longrunning_gauge", "gauge"],
    ["apiserver_longrunning_requests", "gauge"],
    ["apiserver_request_duration_seconds", "histogram"],
    ["apiserver_request_total", "counter"],
    ["apiserver_requested_deprecated_apis", "gauge"],
    ["apiserver_response_sizes", "histogram"],
    ["apiserver_watch_list_duration_seconds", "histogram"],
    [`${flow}_current_executing_requests`, "gauge"],
    [`${flow}_current_executing_seats`, "gauge"],
    [`${flow}_request_concurrency_in_use`, "gauge"],
    [`${flow}_current_inqueue_requests`, "gauge"],
    [`${flow}_dispatched_requests_total`, "counter"],
    [`${flow}_rejected_requests_total`, "counter"],
    [`${flow}_nominal_limit_seats`, "gauge"],
    [`${flow}_request_concurrency_limit`, "gauge"],
    [`${flow}_request_wait_duration_seconds`, "histogram"],
    ["apiserver_resource_objects", "gauge"],
    ["apiserver_storage_events_received_total", "counter"],
    ["apiserver_storage_objects", "gauge"],
    ["apiserver_storage_size_bytes", "gauge"],
    ["etcd_object_counts", "gauge"],
    ["kubernetes_build_info", "gauge"],
    ["kubernetes_feature_enabled", "gauge"],
    ["version_info", "gauge"],
  ]);
});

test("conversions had one metric with another name before 1.28", () => {
  expect(conversionFamilies(environmentOf("1.27")).map(({ name }) => name)).toEqual([
    "apiserver_crd_webhook_conversion_duration_seconds",
  ]);
});

test("rules are described since 1.27, and no validation disagrees", () => {
  const helps = (release: Release) => expressionFamilies(environmentOf(release)).map(({ help }) => help);
  expect(helps("1.26")).toEqual(["", ""]);
  expect(helps("1.27")).toEqual(["CEL compilation time in seconds.", "CEL evaluation time in seconds."]);
  const ofValidation = validationFamilies({ repeatedErrors: new RepeatedErrors() });
  for (const { name } of ofValidation) expect(samplesOf(ofValidation, name)).toEqual({ "": 0 });
});

test.each([
  ["1.17", "component, client, and HTTP response contentType and code"],
  ["1.18", "component, and HTTP response contentType and code"],
  ["1.20", "component, and HTTP response contentType and code"],
  ["1.21", "component, and HTTP response code"],
] as const)("requests are counted in %s by %s", (release, labels) => {
  const families = requestFamilies(environmentOf(release));
  expect(families.find(({ name }) => name === "apiserver_request_total")?.help).toBe(
    `Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, ${labels}.`,
  );
});

describe("the requests in flight", () => {
  test.each([
    ["1.18", "requestKind"],
    ["1.19", "request_kind"],
  ] as const)("have in %s the label %s", (release, label) => {
    const families = requestFamilies(environmentOf(release));
    expect(samplesOf(families, "apiserver_current_inflight_requests")).toEqual({
      [`${label}="readOnly"`]: 3,
      [`${label}="mutating"`]: 2,
    });
  });
});

describe("the metrics of flows", () => {
  const queue = { type: "Limited", limited: { limitResponse: { type: "Queue" } } };
  const levels: readonly Level[] = [
    { name: "old", spec: { limited: { ...queue.limited, assuredConcurrencyShares: 1 } } },
    { name: "new", spec: { limited: { nominalConcurrencyShares: 2, assuredConcurrencyShares: 9 } } },
    { name: "exempt", spec: { type: "Exempt", exempt: { nominalConcurrencyShares: 3 } } },
    { name: "bare", spec: {} },
    { name: "corrupt", spec: { limited: { nominalConcurrencyShares: 50 } }, corrupt: true },
  ];

  function flows(): FlowMetrics {
    const metrics = new FlowMetrics();
    const queued = metrics.countsOf("a", "old");
    Object.assign(queued, { dispatched: 5, rejected: 1, executing: 1 });
    metrics.countsOf("b", "new").dispatched = 1;
    metrics.countsOf("never", "old");
    return metrics;
  }

  const labels = (schema: string, level: string) => `flow_schema="${schema}",priority_level="${level}"`;

  test("count what is executed, rejected, and waits in no queue", () => {
    const families = flowFamilies(environmentOf("1.32", levels, flows()));
    const samples = (name: string) => samplesOf(families, `apiserver_flowcontrol_${name}`);
    const [a, b] = [labels("a", "old"), labels("b", "new")];
    for (const name of [
      "current_executing_requests",
      "current_executing_seats",
      "request_concurrency_in_use",
    ]) {
      expect(samples(name)).toEqual({ [a]: 1, [b]: 0 });
    }
    expect(samples("current_inqueue_requests")).toEqual({ [a]: 0, [b]: 0 });
    expect(samples("dispatched_requests_total")).toEqual({ [a]: 5, [b]: 1 });
    expect(samples("rejected_requests_total")).toEqual({ [`${a},reason="concurrency-limit"`]: 1 });
    expect(samples("request_wait_duration_seconds")).toEqual({ [`execute="true",${a}`]: 5 });
  });

  test("observe no time of waiting", () => {
    const families = flowFamilies(environmentOf("1.32", levels, flows()));
    const waits = families.find(({ name }) => name.endsWith("_wait_duration_seconds"));
    if (waits?.type !== "histogram") return expect.unreachable("it is a histogram");
    expect(waits.histogram.bounds).toEqual([0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30]);
    expect([...waits.histogram.series.values()].map(({ sum, counts }) => [sum, counts[0]])).toEqual([[0, 5]]);
  });

  test("share the seats among the levels, rounded up", () => {
    const families = flowFamilies(environmentOf("1.32", levels));
    const expected = {
      'priority_level="old"': 2,
      'priority_level="new"': 4,
      'priority_level="exempt"': 5,
      'priority_level="bare"': 0,
    };
    for (const name of ["nominal_limit_seats", "request_concurrency_limit"])
      expect(samplesOf(families, `apiserver_flowcontrol_${name}`)).toEqual(expected);
    const without = flowFamilies(environmentOf("1.32", [{ spec: {} }]));
    expect(samplesOf(without, "apiserver_flowcontrol_nominal_limit_seats")).toEqual({
      'priority_level=""': 0,
    });
  });

  test("describe the limit in other words before 1.28", () => {
    const described = (release: Release) =>
      flowFamilies(environmentOf(release)).find(({ name }) => name.endsWith("_concurrency_limit"))?.help;
    expect(described("1.27")).toBe("Shared concurrency limit in the API Priority and Fairness subsystem");
    expect(described("1.28")).toBe("Nominal number of execution seats configured for each priority level");
  });

  test("are there with their gate alone", () => {
    const off = environmentOf("1.28", [], new FlowMetrics(), [["APIPriorityAndFairness", false]]);
    expect(flowFamilies(off)).toEqual([]);
  });
});

describe("the metrics of storage", () => {
  test("count the objects of every resource that is stored", () => {
    const families = storageFamilies(environmentOf("1.35"));
    expect(samplesOf(families, "apiserver_resource_objects")).toEqual({
      'group="",resource="pods"': 4,
      'group="apps",resource="deployments"': 0,
    });
    for (const name of ["apiserver_storage_objects", "etcd_object_counts"])
      expect(samplesOf(families, name)).toEqual({
        'resource="pods"': 4,
        'resource="deployments.apps"': 0,
      });
  });

  test.each([
    ["1.28", "Number of stored objects at the time of last check split by kind."],
    [
      "1.29",
      "Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.",
    ],
    [
      "1.34",
      "[DEPRECATED, consider using apiserver_resource_objects instead] Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.",
    ],
  ] as const)("say in %s what they count", (release, help) => {
    const families = storageFamilies(environmentOf(release));
    expect(families.find(({ name }) => name === "apiserver_storage_objects")?.help).toBe(help);
  });
});

describe("the size of the storage", () => {
  /** What a store of objects of twelve bytes says, some of which may be longer. */
  function sizeOf(count: number, longer: Readonly<Record<number, string>> = {}): unknown {
    const environment = environmentOf("1.32");
    const items = Array.from({ length: count }, (_, at) => ({ value: { n: longer[at] ?? "1234" } }));
    const store = {
      ...environment.store,
      range: ({ prefix, limit }: { prefix: string; limit: number }) => ({
        items: prefix === "/registry/" ? items.slice(0, limit) : [],
      }),
      count: (prefix: string) => (prefix === "/registry/" ? count : 0),
    } as unknown as EndpointEnvironment["store"]; // The metric reads nothing else.
    return samplesOf(storageFamilies({ ...environment, store }), "apiserver_storage_size_bytes");
  }

  test.each([
    [0, {}, 0],
    [1, {}, 12],
    [3, {}, 36],
    [2, { 1: "12345" }, 25],
    [250, {}, 3000],
    [250, { 99: "1234".repeat(26) }, 3250],
    [250, { 100: "1234".repeat(26) }, 3000],
  ] as const)(
    "of %i objects, with longer ones at %j, is estimated by the first hundred: %i",
    (count, longer, bytes) => {
      expect(sizeOf(count, longer)).toEqual({ 'storage_cluster_id="etcd-0"': bytes });
    },
  );
});

test("events have no watch cache, so that none is received", () => {
  const environment = environmentOf("1.34");
  const resources = ["events", "pods"].map((resource) => ({
    group: "",
    version: "v1",
    resource,
    verbs: ["watch"],
  }));
  const facts = ({ resource }: { resource: string }) => ({ storagePrefix: `/registry/${resource}` });
  const current = { groupVersions: () => [{}], resources: () => resources, facts };
  const watch = () => ({
    drain: () => ["events", "pods"].map((resource) => ({ key: `/registry/${resource}/default/a` })),
    close: () => {},
  });
  // The metric reads nothing else.
  const changed = {
    served: { current },
    store: { ...environment.store, watch },
  } as unknown as EndpointEnvironment;
  const families = storageFamilies({ ...environment, ...changed });
  expect(samplesOf(families, "apiserver_storage_events_received_total")).toEqual({
    'group="",resource="pods"': 1,
  });
});

describe("the metrics of the component", () => {
  test("name the build and the versions", () => {
    const families = componentFamilies(environmentOf("1.32"));
    expect(samplesOf(families, "kubernetes_build_info")).toEqual({
      'build_date="1970-01-01T00:00:00Z",compiler="kubedouble",git_commit="kubedouble",git_tree_state="clean",git_version="v1.32.0",go_version="kubedouble",major="1",minor="32",platform="linux/amd64"': 1,
    });
    expect(samplesOf(families, "version_info")).toEqual({
      'binary="1.32.0",component="kube",emulation="1.32",min_compat="1.31"': 1,
    });
  });

  test("say which features are on, and their stages", () => {
    const samples = samplesOf(
      componentFamilies(environmentOf("1.32", [], new FlowMetrics(), [["WatchList", false]])),
      "kubernetes_feature_enabled",
    );
    expect(samples).toMatchObject({
      'name="WatchList",stage="BETA"': 0,
      'name="ComponentStatusz",stage="ALPHA"': 0,
      'name="CustomResourceFieldSelectors",stage=""': 1,
      'name="AllowDNSOnlyNodeCSR",stage="DEPRECATED"': 0,
    });
    const values = Object.entries(samples);
    expect(values.some(([labels]) => labels.endsWith('stage="DEPRECATED"'))).toBe(true);
    for (const [labels, value] of values) {
      expect(labels).toMatch(/^name="[A-Za-z0-9]+",stage="(?:ALPHA|BETA||DEPRECATED)"$/);
      expect([0, 1]).toContain(value);
    }
    // A gate that changes nothing here is as the release has it.
    expect(samples['name="CPUManagerPolicyAlphaOptions",stage="ALPHA"']).toBe(0);
    expect(samples['name="CPUManagerPolicyBetaOptions",stage="BETA"']).toBe(1);
  });
});

test.each([
  ["1.26", {}],
  ["1.33", { 'resource="pods"': 1 }],
  ["1.34", { 'group="",resource="pods"': 1 }],
] as const)("the events of %s have its labels", (release, expected) => {
  const families = storageFamilies(environmentOf(release));
  expect(samplesOf(families, "apiserver_storage_events_received_total")).toEqual(expected);
});
