import { type Since, sinceOf } from "../../apimachinery/release.ts";
import { isAvailable } from "../../kinds/apiregistration/api-service/registration.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { EndpointResponse } from "../contract/endpoint-response.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { MetricFamily } from "../contract/metric-family.ts";
import { admissionFamilies } from "./admission-metrics.ts";
import { authenticationFamilies } from "./authentication-families.ts";
import { authorizationFamilies } from "./authorization-families.ts";
import { componentFamilies } from "./component-families.ts";
import { conversionFamilies } from "./conversion-families.ts";
import { expressionFamilies } from "./expression-families.ts";
import { flowFamilies } from "./flow-families.ts";
import { registered } from "./metric-life.ts";
import { metricText } from "./metric-text.ts";
import { withRegistryFamilies } from "./registry-families.ts";
import { reloadFamilies } from "./reload-families.ts";
import { requestFamilies } from "./request-families.ts";
import { storageFamilies } from "./storage-families.ts";
import { validationFamilies } from "./validation-families.ts";
import { workQueueFamilies } from "./work-queue-families.ts";

const encoder = new TextEncoder();

/** Answers `/metrics` and `/metrics/slis` in the text format of Prometheus; undefined for other paths. */
export function serveMetrics(
  { path, request }: RequestContext,
  environment: EndpointEnvironment,
): EndpointResponse | undefined {
  if (path !== "/metrics" && path !== "/metrics/slis") return undefined;
  if (path === "/metrics/slis" && !environment.gates.isEnabled("ComponentSLIs")) return undefined;
  if (request.method === "DELETE" && environment.debugging.profiling) return reset(environment);
  const { metricsOptions: options } = environment;
  const { release } = environment.catalog;
  const shown =
    path === "/metrics"
      ? withRegistryFamilies(serverFamilies(environment), release, options)
      : registered(serviceLevelFamilies(environment), release, options).shown;
  return {
    status: 200,
    headers: [
      ["Content-Type", metricsContentType(sinceOf(release))],
      ["Process-Start-Time-Unix", String(Math.floor(environment.startedAt / 1000))],
    ],
    body: encoder.encode(metricText(shown)),
  };
}

function reset(environment: EndpointEnvironment): EndpointResponse {
  const { metrics, authenticationMetrics, authorizationMetrics, admissionMetrics, conversionMetrics } =
    environment;
  metrics.reset();
  metrics.storageEvents.reset(environment.store);
  authenticationMetrics.reset();
  authorizationMetrics.reset();
  admissionMetrics.reset();
  conversionMetrics.reset();
  environment.expressionMetrics.reset();
  environment.repeatedErrors.reset();
  environment.flows.reset();
  const headers: EndpointResponse["headers"] = [["Content-Type", "text/plain; charset=utf-8"]];
  return { status: 200, headers, body: encoder.encode("metrics reset\n") };
}

/** The content type, whose `escaping` depends on the release of the Prometheus library. */
export function metricsContentType(since: Since): string {
  const escaping = since("1.33") ? "underscores" : "values";
  return `text/plain; version=0.0.4; charset=utf-8${since("1.31") ? `; escaping=${escaping}` : ""}`;
}

function serverFamilies(environment: EndpointEnvironment): readonly MetricFamily[] {
  return [
    ...aggregatorFamilies(environment),
    ...conversionFamilies(environment),
    ...expressionFamilies(environment),
    ...authenticationFamilies(environment),
    ...reloadFamilies("authentication", environment.configurationReloads(), environment.gates),
    ...reloadFamilies("authorization", environment.authorizationMetrics.reloads(), environment.gates),
    ...admissionFamilies(environment),
    ...authorizationFamilies(environment),
    ...requestFamilies(environment),
    ...flowFamilies(environment),
    ...storageFamilies(environment),
    ...validationFamilies(environment),
    ...workQueueFamilies(environment),
    ...componentFamilies(environment),
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
      help: "Gauge of APIServices which are marked as unavailable broken down by APIService name.",
      samples: new Map(gauge),
    },
    {
      name: `aggregator_unavailable_apiservice_${gates.since("1.19") ? "total" : "count"}`,
      type: "counter",
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
      help: "This metric records the result of a single healthcheck.",
      samples: new Map(results.map((labels) => [labels, 1])),
    },
    {
      name: "kubernetes_healthchecks_total",
      type: "counter",
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
    help: "Start time of the process since unix epoch in seconds.",
    samples: new Map([["", startedAt / 1000]]),
  };
}
