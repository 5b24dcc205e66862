import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { AdmissionMetrics } from "../../admission/contract/admission-metrics.ts";
import { VirtualClock } from "../../apimachinery/clock.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type Release, sinceOf } from "../../apimachinery/release.ts";
import { AuthenticationMetrics } from "../../authentication/contract/authentication-metrics.ts";
import { AuthorizationMetrics } from "../../authorization/contract/authorization-metrics.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { featureGates } from "../../catalog/feature-gates.ts";
import { ConversionMetrics } from "../../registry/contract/conversion-metrics.ts";
import { ExpressionMetrics } from "../../registry/contract/expression-metrics.ts";
import { RepeatedErrors } from "../../registry/contract/repeated-errors.ts";
import { plainRequest, readResponseBody } from "../../request/plain-request.ts";
import type { RequestContext } from "../../request/request-context.ts";
import { Store } from "../../store/store.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import { FlowMetrics } from "../contract/flow-metrics.ts";
import { ServerMetrics } from "../contract/server-metrics.ts";
import { WorkQueueMetrics } from "../contract/work-queue-metrics.ts";
import { handleNonResource } from "./nonresource.ts";

interface Server {
  readonly release?: Release;
  readonly profiling?: boolean;
  readonly gates?: readonly (readonly [string, boolean])[];
}

const start = "2026-01-01T00:00:00Z";

/** A server with nothing stored, and what it answers. */
function newServer({ release = "1.32", profiling = true, gates = [] }: Server = {}) {
  const clock = new VirtualClock(start);
  const store = new Store<KubeObject>({
    clock,
    historyMilliseconds: 300_000,
    historyBytes: 1e6,
    stamp: (value) => value,
    labelsOf: () => ({}),
    watchCapacity: 10,
  });
  const reloads = {
    serverHash: "s",
    configurationHash: "c",
    success: { count: 1, last: 2 },
    failure: { count: 0, last: 0 },
  };
  const counted = {
    metrics: new ServerMetrics(sinceOf(release)),
    authenticationMetrics: new AuthenticationMetrics(),
    authorizationMetrics: new AuthorizationMetrics(),
    admissionMetrics: new AdmissionMetrics(clock),
    conversionMetrics: new ConversionMetrics(),
    expressionMetrics: new ExpressionMetrics(clock),
    repeatedErrors: new RepeatedErrors(),
    workQueueMetrics: new WorkQueueMetrics(clock),
    flows: new FlowMetrics(),
  };
  counted.authorizationMetrics.reloads = () => reloads;
  // The metrics read nothing else.
  const environment = {
    ...counted,
    catalog: catalogOf({ release }),
    served: { current: viewOf({ release }) },
    gates: featureGates(release, new Map(gates)),
    store,
    clock,
    startedAt: Date.parse(start) + 500,
    debugging: { profiling, logsHandler: false, flags: () => new Map() },
    aggregation: { aggregator: { unavailable: new Map([['name="v1.a",reason="r"', 3]]) } },
    inFlight: { limit: 10, takePeaks: () => ({ readOnly: 3, mutating: 2 }) },
    configurationReloads: () => reloads,
    metricsOptions: { showHidden: false, disabled: new Set(), allowedLabels: new Map() },
  } as unknown as EndpointEnvironment;
  const ask = async (path: string, method = "GET") => {
    const request = plainRequest({ method, target: path });
    const context: Partial<RequestContext> = { request, path, query: new URLSearchParams() };
    const { status, headers, body } = await handleNonResource(context as RequestContext, environment);
    const text = new TextDecoder().decode(await readResponseBody(body));
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    const samples = new Map(
      lines.map((line) => line.split(/ (?=[^ ]+$)/)).map(([name = "", value]) => [name, value]),
    );
    return { status, headers: Object.fromEntries(headers), text, samples };
  };
  return { ...counted, store, ask };
}

describe("the metrics", () => {
  test.each<[Release, string]>([
    ["1.30", ""],
    ["1.31", "; escaping=values"],
    ["1.32", "; escaping=values"],
    ["1.33", "; escaping=underscores"],
  ])("of %s are text for Prometheus%s", async (release, escaping) => {
    const { status, headers } = await newServer({ release }).ask("/metrics");
    expect([status, headers]).toEqual([
      200,
      {
        "Content-Type": `text/plain; version=0.0.4; charset=utf-8${escaping}`,
        "Process-Start-Time-Unix": "1767225600",
      },
    ]);
  });

  test("are those of each part of the server", async () => {
    const { samples } = await newServer({ release: "1.34" }).ask("/metrics");
    const expected = {
      'aggregator_unavailable_apiservice_total{name="v1.a",reason="r"}': "3",
      'apiserver_authentication_config_controller_automatic_reloads_total{apiserver_id_hash="s",status="success"}':
        "1",
      'apiserver_authorization_config_controller_automatic_reloads_total{apiserver_id_hash="s",status="success"}':
        "1",
      serviceaccount_valid_tokens_total: "0",
      'apiserver_current_inflight_requests{request_kind="readOnly"}': "3",
      'apiserver_resource_objects{group="",resource="pods"}': "0",
      apiserver_validation_declarative_validation_panic_total: "0",
      'workqueue_depth{name="crd_finalizer"}': "0",
      'kubernetes_feature_enabled{name="WatchList",stage="BETA"}': "1",
      process_start_time_seconds: "1.7672256005e+09",
      hidden_metrics_total: expect.any(String),
    };
    expect(Object.fromEntries(samples)).toMatchObject(expected);
  });

  test.each<[Release, string]>([
    ["1.18", "count"],
    ["1.19", "total"],
  ])("of %s count unavailable APIServices in a %s", async (release, suffix) => {
    const { text } = await newServer({ release }).ask("/metrics");
    expect(text).toContain(`aggregator_unavailable_apiservice_${suffix}{name="v1.a",reason="r"} 3`);
    expect(text).toContain(
      `# HELP aggregator_unavailable_apiservice_${suffix} [ALPHA] Counter of APIServices which are marked as unavailable broken down by APIService name and reason.\n`,
    );
  });

  test("say which APIServices are unavailable", async () => {
    const { store, ask } = newServer();
    const put = (name: string, conditions: readonly object[]) =>
      store.guaranteedUpdate(`/registry/apiregistration.k8s.io/apiservices/${name}`, () => ({
        type: "put",
        value: {
          kind: "APIService",
          apiVersion: "v1",
          metadata: { name },
          status: { conditions: conditions as never },
        },
      }));
    await put("v1.a", [{ type: "Available", status: "True" }]);
    await put("v1.b", [{ type: "Available", status: "False" }]);
    await put("v1.c", []);
    const { samples, text } = await ask("/metrics");
    expect(
      ["v1.a", "v1.b", "v1.c"].map((name) =>
        samples.get(`aggregator_unavailable_apiservice{name="${name}"}`),
      ),
    ).toEqual(["0", "1", "1"]);
    expect(text).toContain("# TYPE aggregator_unavailable_apiservice gauge\n");
    expect(text).toMatch(/# HELP aggregator_unavailable_apiservice \[ALPHA\] Gauge of .{20,}\.\n/);
  });

  test("are at no other path", async () => {
    const { ask } = newServer();
    for (const path of ["/metrics/", "/metrics/x", "/metrics/slis/", "/x/metrics"])
      expect((await ask(path)).status).toBe(404);
  });

  test("are shown for any method, unless it resets them", async () => {
    for (const method of ["POST", "HEAD", "PUT"])
      expect((await newServer().ask("/metrics", method)).text).toContain("process_start_time_seconds");
    const unprofiled = await newServer({ profiling: false }).ask("/metrics", "DELETE");
    expect(unprofiled.text).toContain("process_start_time_seconds");
  });

  test("begin again with nothing after a reset", async () => {
    const server = newServer();
    server.metrics.countHealthCheck("etcd", "livez");
    server.authenticationMetrics.countUser("alice", 1);
    server.authorizationMetrics.count("webhook_evaluations_total", 'name="w"');
    server.admissionMetrics.count("webhook_request_total", { name: "w" });
    server.conversionMetrics.observe({ definition: "x", from: "v1", to: "v2" }, undefined, 1);
    server.expressionMetrics.compilations.observe("", 1);
    server.flows.countsOf("schema", "level").dispatched = 1;
    const counted = [
      "authenticated_user_requests{",
      "apiserver_authorization_webhook_evaluations_total{",
      "apiserver_admission_webhook_request_total{",
      "apiserver_conversion_webhook_request_total{",
      "apiserver_cel_compilation_duration_seconds_count 1",
      "apiserver_flowcontrol_dispatched_requests_total{",
    ];
    const before = (await server.ask("/metrics")).text;
    expect(counted.filter((name) => !before.includes(`\n${name}`))).toEqual([]);
    expect((await server.ask("/metrics/slis")).text).toContain('name="etcd"');
    expect(await server.ask("/metrics", "DELETE")).toMatchObject({
      status: 200,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
      text: "metrics reset\n",
    });
    const after = (await server.ask("/metrics")).text;
    expect(counted.filter((name) => after.includes(`\n${name}`))).toEqual([]);
    expect((await server.ask("/metrics/slis")).text).not.toContain('name="etcd"');
  });
});

describe("the indicators of the service level", () => {
  test("are the results of health checks", async () => {
    const server = newServer();
    server.metrics.countHealthCheck("etcd", "livez");
    server.metrics.countHealthCheck("etcd", "livez");
    const { text } = await server.ask("/metrics/slis");
    expect(text).toBe(
      `${[
        "# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.",
        "# TYPE kubernetes_healthcheck gauge",
        'kubernetes_healthcheck{name="etcd",type="livez"} 1',
        "# HELP kubernetes_healthchecks_total [STABLE] This metric records the results of all healthcheck.",
        "# TYPE kubernetes_healthchecks_total counter",
        'kubernetes_healthchecks_total{name="etcd",status="success",type="livez"} 2',
        "# HELP process_start_time_seconds [ALPHA] Start time of the process since unix epoch in seconds.",
        "# TYPE process_start_time_seconds gauge",
        "process_start_time_seconds 1.7672256005e+09",
      ].join("\n")}\n`,
    );
  });

  test("are there with their gate alone", async () => {
    const off = newServer({ release: "1.31", gates: [["ComponentSLIs", false]] });
    expect((await off.ask("/metrics/slis")).status).toBe(404);
    expect((await off.ask("/metrics")).status).toBe(200);
  });
});
