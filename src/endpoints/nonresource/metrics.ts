import { formatGroupResource } from "../../apimachinery/group-version.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { type Release, sinceOf } from "../../apimachinery/release.ts";
import { isAvailable } from "../../kinds/apiregistration/api-service/registration.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { MetricFamily, Samples } from "../contract/metric-family.ts";
import { admissionFamilies } from "./admission-metrics.ts";
import { authenticationFamilies } from "./authentication-families.ts";
import { authorizationFamilies } from "./authorization-families.ts";
import { conversionFamilies } from "./conversion-families.ts";
import { metricText } from "./metric-text.ts";
import { reloadFamilies } from "./reload-families.ts";
import { versionInfo } from "./version.ts";

const encoder = new TextEncoder();

/** Answers `/metrics` and `/metrics/slis` in the text format of Prometheus; undefined for other paths. */
export function serveMetrics(
  { path, request }: RequestContext,
  environment: EndpointEnvironment,
): EndpointResponse | undefined {
  if (path !== "/metrics" && path !== "/metrics/slis") return undefined;
  if (path === "/metrics/slis" && !environment.gates.isEnabled("ComponentSLIs")) return undefined;
  if (request.method === "DELETE" && environment.debugging.profiling) return reset(environment);
  const families = path === "/metrics" ? serverFamilies(environment) : serviceLevelFamilies(environment);
  return {
    status: 200,
    headers: [
      ["Content-Type", contentType(environment.catalog.release)],
      ["Process-Start-Time-Unix", String(Math.floor(environment.startedAt / 1000))],
    ],
    body: encoder.encode(metricText(families)),
  };
}

function reset(environment: EndpointEnvironment): EndpointResponse {
  const { metrics, authenticationMetrics, authorizationMetrics, admissionMetrics, conversionMetrics } =
    environment;
  metrics.reset();
  authenticationMetrics.reset();
  authorizationMetrics.reset();
  admissionMetrics.reset();
  conversionMetrics.reset();
  const headers: EndpointResponse["headers"] = [["Content-Type", "text/plain; charset=utf-8"]];
  return { status: 200, headers, body: encoder.encode("metrics reset\n") };
}

/** The content type, whose `escaping` depends on the release of the Prometheus library. */
function contentType(release: Release): string {
  const since = sinceOf(release);
  const escaping = since("1.33") ? "underscores" : "values";
  return `text/plain; version=0.0.4; charset=utf-8${since("1.31") ? `; escaping=${escaping}` : ""}`;
}

function serverFamilies(environment: EndpointEnvironment): readonly MetricFamily[] {
  const { metrics } = environment;
  return [
    ...aggregatorFamilies(environment),
    ...conversionFamilies(environment),
    ...authenticationFamilies(environment),
    ...reloadFamilies("authentication", environment.configurationReloads(), environment.gates),
    ...reloadFamilies("authorization", environment.authorizationMetrics.reloads(), environment.gates),
    ...admissionFamilies(environment),
    ...authorizationFamilies(environment),
    {
      name: "apiserver_request_total",
      type: "counter",
      stability: "STABLE",
      help: "Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.",
      samples: metrics.requests,
    },
    {
      name: "apiserver_requested_deprecated_apis",
      type: "gauge",
      stability: "STABLE",
      help: "Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.",
      samples: metrics.deprecated,
    },
    {
      name: "apiserver_storage_objects",
      type: "gauge",
      stability: "STABLE",
      help: "Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.",
      samples: storedObjects(environment),
    },
    {
      name: "kubernetes_build_info",
      type: "gauge",
      stability: "ALPHA",
      help: "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
      samples: new Map([[buildLabels(versionInfo(environment.catalog.release)), 1]]),
    },
    processStart(environment),
  ];
}

/** Upstream: kube-aggregator, pkg/controllers/status/metrics/metrics.go. */
function aggregatorFamilies({ store, aggregation, gates }: EndpointEnvironment): readonly MetricFamily[] {
  const stored = store.range({ prefix: "/registry/apiregistration.k8s.io/apiservices/" }).items;
  const gauge = stored
    .filter(({ corrupt }) => !corrupt)
    .map(({ value }): [string, number] => [`name="${value.metadata.name}"`, isAvailable(value) ? 0 : 1]);
  return [
    {
      name: "aggregator_unavailable_apiservice",
      type: "gauge",
      stability: "ALPHA",
      help: "Gauge of APIServices which are marked as unavailable broken down by APIService name.",
      samples: new Map(gauge),
    },
    {
      name: `aggregator_unavailable_apiservice_${gates.since("1.19") ? "total" : "count"}`,
      type: "counter",
      stability: "ALPHA",
      help: "Counter of APIServices which are marked as unavailable broken down by APIService name and reason.",
      samples: aggregation.aggregator?.unavailable ?? new Map(),
    },
  ];
}

function serviceLevelFamilies(environment: EndpointEnvironment): readonly MetricFamily[] {
  const { healthChecks } = environment.metrics;
  const results = [...healthChecks.keys()].map((labels) => labels.replace(/status="\w+",/, ""));
  return [
    {
      name: "kubernetes_healthcheck",
      type: "gauge",
      stability: "STABLE",
      help: "This metric records the result of a single healthcheck.",
      samples: new Map(results.map((labels) => [labels, 1])),
    },
    {
      name: "kubernetes_healthchecks_total",
      type: "counter",
      stability: "STABLE",
      help: "This metric records the results of all healthcheck.",
      samples: healthChecks,
    },
    processStart(environment),
  ];
}

function processStart({ startedAt }: EndpointEnvironment): MetricFamily {
  return {
    name: "process_start_time_seconds",
    type: "gauge",
    stability: "ALPHA",
    help: "Start time of the process since unix epoch in seconds.",
    samples: new Map([["", startedAt / 1000]]),
  };
}

/** Resources that can be watched are stored. Those that several versions serve are stored once. */
function storedObjects({ served, store }: EndpointEnvironment): Samples {
  const counts = new Map<string, number>();
  const view = served.current;
  for (const resource of view.groupVersions().flatMap((gv) => view.resources(gv))) {
    if (!resource.verbs.includes("watch")) continue;
    const { storagePrefix } = view.facts(resource);
    counts.set(`resource="${formatGroupResource(resource)}"`, store.count(`${storagePrefix}/`));
  }
  return counts;
}

const buildFields: readonly (readonly [label: string, field: string])[] = [
  ["build_date", "buildDate"],
  ["compiler", "compiler"],
  ["git_commit", "gitCommit"],
  ["git_tree_state", "gitTreeState"],
  ["git_version", "gitVersion"],
  ["go_version", "goVersion"],
  ["major", "major"],
  ["minor", "minor"],
  ["platform", "platform"],
];

function buildLabels(info: JsonObject): string {
  return buildFields.map(([label, field]) => `${label}="${info[field]}"`).join(",");
}
