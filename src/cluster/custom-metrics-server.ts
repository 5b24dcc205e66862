import { formatGroupResource, type GroupResource } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import { parseQuantity, type Quantity } from "../apimachinery/quantity.ts";
import type { LabelSelector } from "../apimachinery/selectors/label-selector.ts";
import { formatTime } from "../apimachinery/time.ts";
import type { OwnApiServer, ServingCluster } from "../webhooks/outgoing-targets.ts";
import type { CustomMetric, Labels } from "../webhooks/scripted-metric.ts";
import { answered, latestSeries, type MetricsRequest, metricNotFound } from "./metrics-answers.ts";

export const customMetricsGroup = "custom.metrics.k8s.io";

type Version = "v1beta1" | "v1beta2";

/** The metric that a request is about. */
interface Asked {
  readonly resource: GroupResource;
  readonly metric: string;
  /** Empty for objects without one. */
  readonly namespace: string;
  /** `*` for all. */
  readonly name: string;
}

/**
 * What prometheus-adapter answers for custom metrics, from what scripts say. Upstream: custom-metrics-apiserver,
 * pkg/registry/custom_metrics; prometheus-adapter, pkg/custom-provider.
 */
export function customMetricsServer(version: Version): OwnApiServer {
  const apiVersion = `${customMetricsGroup}/${version}`;
  return (request, cluster) => {
    const scripts = cluster.targets.metrics.all().flatMap((one) => (one.type === "custom" ? [one] : []));
    return answered(request, apiVersion, resourcesOf(scripts), (asked) => {
      const metric = metricIn(asked.parts);
      if (metric === undefined) return undefined;
      const items = itemsOf(cluster, scripts, metric, asked, version);
      return { kind: "MetricValueList", apiVersion, metadata: {}, items };
    });
  };
}

/** Reads `namespaces/NAMESPACE/metrics/METRIC`, `namespaces/NAMESPACE/RESOURCE/NAME/METRIC` and `RESOURCE/NAME/METRIC`. */
function metricIn(parts: readonly string[]): Asked | undefined {
  const isNamespaced = parts[0] === "namespaces" && parts.length > 3;
  const [resource = "", name = "", metric = "", ...rest] = isNamespaced ? parts.slice(2) : parts;
  if (rest.length > 0 || name === "") return undefined;
  const namespace = isNamespaced ? (parts[1] ?? "") : "";
  if (isNamespaced && metric === "" && resource === "metrics") {
    return { resource: { group: "", resource: "namespaces" }, metric: name, namespace: "", name: namespace };
  }
  if (metric === "") return undefined;
  const [plural = "", ...group] = resource.split(".");
  return { resource: { group: group.join("."), resource: plural }, metric, namespace, name };
}

/** @throws {StatusError} notFound for a metric that no script gives, and for an object without it */
function itemsOf(
  { lister, clock }: ServingCluster,
  scripts: readonly CustomMetric[],
  asked: Asked,
  { labelSelector, metricLabelSelector }: MetricsRequest,
  version: Version,
): readonly JsonObject[] {
  const { resource, metric, namespace, name } = asked;
  const known = scripts.filter((script) => isAbout(script, asked));
  const title = `the server could not find the metric ${metric} for ${formatGroupResource(resource)}`;
  const [first] = known;
  if (first === undefined) throw metricNotFound(title);
  const timestamp = formatTime(clock.now());
  const itemsFor = (object: string, labels: Labels) => {
    const amount = amountOf(known, object, labels, metricLabelSelector);
    if (amount === undefined) return [];
    const value = { timestamp, value: amount.toString() };
    return [itemIn(version, metric, referenceTo(first, object), value, metricLabelSelector)];
  };
  if (name === "*") {
    const objects = lister.list(resource, namespace);
    const selected = objects.filter(({ metadata }) => labelSelector.matches(metadata.labels ?? {}));
    return selected.flatMap(({ metadata }) => itemsFor(metadata.name ?? "", metadata.labels ?? {}));
  }
  const items = itemsFor(name, lister.get(resource, namespace, name)?.metadata.labels ?? {});
  if (items.length === 0) throw metricNotFound(`${title} ${name}`);
  return items;
}

function isAbout({ metric, group, resource, namespace }: CustomMetric, asked: Asked): boolean {
  const isSame = group === asked.resource.group && resource === asked.resource.resource;
  return isSame && metric === asked.metric && namespace === asked.namespace;
}

/** The sum of the series of an object that are selected. Of scripts for the same series, the last one counts. */
function amountOf(
  scripts: readonly CustomMetric[],
  object: string,
  labels: Labels,
  selector: LabelSelector,
): Quantity | undefined {
  const fitting = scripts.filter(
    (script) =>
      (script.name === undefined || script.name === object) &&
      Object.entries(script.labels).every(([label, value]) => labels[label] === value),
  );
  const selected = latestSeries(fitting).filter(({ metricLabels }) => selector.matches(metricLabels));
  const [first, ...others] = selected.map(({ value }) => parseQuantity(value));
  return first && others.reduce((sum, value) => sum.add(value), first);
}

function referenceTo({ kind, group, version, namespace }: CustomMetric, name: string): JsonObject {
  // The library writes the separator also for the core group.
  return { kind, ...(namespace !== "" && { namespace }), name, apiVersion: `${group}/${version}` };
}

function itemIn(
  version: Version,
  metric: string,
  describedObject: JsonObject,
  { timestamp, value }: { readonly timestamp: string; readonly value: string },
  selected: LabelSelector,
): JsonObject {
  const selector = selectorObject(selected);
  return version === "v1beta1"
    ? { describedObject, metricName: metric, timestamp, value, selector }
    : { describedObject, metric: { name: metric, selector }, timestamp, value };
}

/** A selector as an object; null if it selects everything. Upstream: `ParseToLabelSelector` (apimachinery). */
function selectorObject({ requirements }: LabelSelector): JsonObject | null {
  if (requirements.length === 0) return null;
  const equal = requirements.filter(({ operator }) => operator === "=");
  const others = requirements.filter(({ operator }) => operator !== "=");
  return {
    ...(equal.length > 0 && {
      matchLabels: Object.fromEntries(equal.map(({ key, values }) => [key, values[0] ?? ""])),
    }),
    ...(others.length > 0 && {
      matchExpressions: others.map(({ key, operator, values }) => ({
        key,
        operator: expressionOperators[operator] ?? operator,
        ...(values.length > 0 && { values: [...values] }),
      })),
    }),
  };
}

const expressionOperators: { readonly [operator: string]: string } = {
  in: "In",
  notin: "NotIn",
  "!=": "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
};

/** Each metric is a subresource of the resource that it describes. */
function resourcesOf(scripts: readonly CustomMetric[]): readonly JsonObject[] {
  const resources = scripts.map((script) => ({
    name: `${formatGroupResource(script)}/${script.metric}`,
    namespaced: script.namespace !== "",
  }));
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  return [...byName.values()].map(({ name, namespaced }) => ({
    name,
    singularName: "",
    namespaced,
    kind: "MetricValueList",
    verbs: ["get"],
  }));
}
