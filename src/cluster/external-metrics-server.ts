import type { JsonObject } from "../apimachinery/json.ts";
import { parseQuantity } from "../apimachinery/quantity.ts";
import { formatTime } from "../apimachinery/time.ts";
import type { OwnApiServer } from "../webhooks/outgoing-targets.ts";
import type { ExternalMetric } from "../webhooks/scripted-metric.ts";
import { answered, latestSeries, metricNotFound } from "./metrics-answers.ts";

export const externalMetricsGroup = "external.metrics.k8s.io";

const apiVersion = `${externalMetricsGroup}/v1beta1`;

/**
 * What prometheus-adapter answers for external metrics, from what scripts say: `namespaces/NAMESPACE/METRIC`. Upstream:
 * custom-metrics-apiserver, pkg/registry/external_metrics; prometheus-adapter, pkg/external-provider.
 */
export const externalMetricsServer: OwnApiServer = (request, { targets, clock }) => {
  const scripts = targets.metrics.all().flatMap((one) => (one.type === "external" ? [one] : []));
  return answered(request, apiVersion, resourcesOf(scripts), ({ parts, labelSelector }) => {
    const [scope, namespace = "", metric = "", ...rest] = parts;
    if (scope !== "namespaces" || metric === "" || rest.length > 0) return undefined;
    const known = scripts.filter((script) => script.metric === metric);
    // The adapter names a resource only for this namespace.
    const resource = namespace === "default" ? "namespaces" : "";
    if (known.length === 0)
      throw metricNotFound(`the server could not find the metric ${metric} for ${resource}`);
    const timestamp = formatTime(clock.now());
    const items = latestSeries(known.filter((script) => script.namespace === namespace))
      .filter(({ metricLabels }) => labelSelector.matches(metricLabels))
      .map((script) => itemOf(script, timestamp));
    return { kind: "ExternalMetricValueList", apiVersion, metadata: {}, items };
  });
};

function itemOf({ metric, metricLabels, value }: ExternalMetric, timestamp: string): JsonObject {
  return {
    metricName: metric,
    metricLabels: { ...metricLabels },
    timestamp,
    value: parseQuantity(value).toString(),
  };
}

function resourcesOf(scripts: readonly ExternalMetric[]): readonly JsonObject[] {
  return [...new Set(scripts.map(({ metric }) => metric))].map((name) => ({
    name,
    singularName: "",
    namespaced: true,
    kind: "ExternalMetricValueList",
    verbs: ["get"],
  }));
}
