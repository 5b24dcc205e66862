import { checkOptions, checkValue, type OptionType } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import { labels } from "../scenario/label-option-type.ts";
import type { TargetHandle } from "../webhooks/outgoing-targets.ts";
import type { DescribedObjects, ExternalSeries } from "../webhooks/scripted-metric.ts";
import type { ClusterCore } from "./cluster-core.ts";
import { customMetricsGroup, customMetricsServer } from "./custom-metrics-server.ts";
import { externalMetricsGroup, externalMetricsServer } from "./external-metrics-server.ts";
import { filledText, quantity } from "./metric-option-types.ts";
import { serveOwn } from "./metrics-answers.ts";

const metricName: OptionType = {
  accepts: "a text without slashes",
  isValid: (value) => typeof value === "string" && /^[^/]+$/.test(value) && value !== "." && value !== "..",
};

/** Adds a value of a metric of objects, and serves such metrics. @throws {TypeError | Error} for bad options, or an unknown kind */
export async function addCustomMetric(
  cluster: ClusterCore,
  metric: string,
  value: string,
  of: DescribedObjects,
): Promise<TargetHandle> {
  checkMetric("custom", metric, value);
  const required: OptionType = { ...text, isRequired: true };
  const types = {
    apiVersion: required,
    kind: required,
    name: filledText,
    namespace: filledText,
    labels,
    metricLabels: labels,
  };
  checkOptions("custom", of, types);
  const { real } = cluster.names;
  const { group, version, resource, kind, namespaced } = await cluster.resourceOf(
    of.apiVersion,
    of.kind,
    undefined,
  );
  if (!namespaced && of.namespace !== undefined)
    throw new TypeError(
      `custom: objects of kind ${kind} have no namespace, so that the option namespace has no effect`,
    );
  const handle = cluster.targets.metrics.add(customMetricsGroup, {
    type: "custom",
    metric: real(metric),
    value,
    metricLabels: real({ ...of.metricLabels }),
    group,
    version,
    resource,
    kind,
    namespace: namespaced ? real(of.namespace ?? "default") : "",
    name: real(of.name),
    labels: real({ ...of.labels }),
  });
  for (const served of ["v1beta1", "v1beta2"] as const) {
    await serveOwn(`${served}.${customMetricsGroup}`, customMetricsServer(served), cluster);
  }
  // Discovery asks for the resources of the API again.
  await cluster.settle();
  return handle;
}

/** Adds a value of a metric of something outside of the cluster, and serves such metrics. @throws {TypeError} for bad options */
export async function addExternalMetric(
  cluster: ClusterCore,
  metric: string,
  value: string,
  series: ExternalSeries,
): Promise<TargetHandle> {
  checkMetric("external", metric, value);
  checkOptions("external", series, { namespace: filledText, metricLabels: labels });
  const { real } = cluster.names;
  const { namespace = "default", metricLabels = {} } = series;
  const handle = cluster.targets.metrics.add(externalMetricsGroup, {
    type: "external",
    metric: real(metric),
    value,
    metricLabels: real({ ...metricLabels }),
    namespace: real(namespace),
  });
  await serveOwn(`v1beta1.${externalMetricsGroup}`, externalMetricsServer, cluster);
  await cluster.settle();
  return handle;
}

function checkMetric(method: string, metric: string, value: string): void {
  checkValue(`${method}: the name of the metric`, metric, metricName);
  checkValue(`${method}: the value of ${metric}`, value, quantity);
}
