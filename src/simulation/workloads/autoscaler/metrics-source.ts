import { parseDurationMilliseconds } from "../../../apimachinery/duration.ts";
import { isNotFound } from "../../../apimachinery/errors/error-predicates.ts";
import { messageOf } from "../../../apimachinery/errors/message-of.ts";
import { listAt, numberAt, textAt } from "../../../apimachinery/fields.ts";
import {
  formatGroupKind,
  formatGroupResource,
  type GroupKind,
  type GroupResource,
} from "../../../apimachinery/group-version.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { parseQuantity } from "../../../apimachinery/quantity.ts";
import type { RawApi } from "../../contract/raw-api.ts";
import type { PodMetric, PodMetrics } from "./pod-metric.ts";

const resourceMetrics = "metrics.k8s.io";
const customMetrics = "custom.metrics.k8s.io";
const externalMetrics = "external.metrics.k8s.io";

/** The versions of custom.metrics.k8s.io that the client understands. */
const customVersions: readonly string[] = ["v1beta2", "v1beta1"];

/** The window of a custom metric that names none, in milliseconds. */
const defaultWindow = 60_000;

/** A metric, and the series of it that count: a label selector as text, empty for all. */
export interface MetricQuery {
  readonly metric: string;
  readonly selector: string;
}

/** An object that a metric describes. */
export interface DescribedObject extends GroupKind {
  readonly name: string;
}

/** Reads the three APIs of metrics, as any client does. Upstream: pkg/controller/podautoscaler/metrics/client.go. */
export class MetricsSource {
  readonly #api: RawApi;

  constructor(api: RawApi) {
    this.#api = api;
  }

  /** What pods use of a resource; of one container, if `container` is not empty. @throws {Error} without metrics */
  async ofPods(
    namespace: string,
    podSelector: string,
    resource: string,
    container: string,
  ): Promise<PodMetrics> {
    const path = `/apis/${resourceMetrics}/v1beta1/namespaces/${namespace}/pods${query({ labelSelector: podSelector })}`;
    const items = await this.#items(path, { group: resourceMetrics, resource: "pods" }, "resource");
    return new Map(items.flatMap((item) => measured(item, usageOf(item, resource, container))));
  }

  /** The values of a custom metric of pods. @throws {Error} without any */
  async customOfPods(namespace: string, podSelector: string, of: MetricQuery): Promise<PodMetrics> {
    const path = `namespaces/${namespace}/pods/%2A/${encodeURIComponent(of.metric)}`;
    const items = await this.#custom(
      path,
      { group: customMetrics, resource: "pods", name: "*" },
      of,
      podSelector,
    );
    if (items.length === 0) throw new Error("no metrics returned from custom metrics API");
    return new Map(
      items.map((item) => [textAt(item, "describedObject", "name"), customMetricOf(item)] as const),
    );
  }

  /** The value of a custom metric of an object, in thousandths. @throws {Error} without exactly one */
  async customOfObject(namespace: string, object: DescribedObject, of: MetricQuery): Promise<bigint> {
    const { path, requested } = this.#described(namespace, object, encodeURIComponent(of.metric));
    const items = await this.#custom(path, requested, of, "");
    const [first] = items;
    if (first !== undefined && items.length === 1) return milliValueOf(first);
    const problem = `the custom metrics API server returned ${items.length} results when we asked for exactly one`;
    throw new Error(`unable to fetch metrics from custom metrics API: ${problem}`);
  }

  /** The values of an external metric, in thousandths. @throws {Error} without any */
  async external(namespace: string, { metric, selector }: MetricQuery): Promise<readonly bigint[]> {
    const path = `/apis/${externalMetrics}/v1beta1/namespaces/${namespace}/${encodeURIComponent(metric)}${query({ labelSelector: selector })}`;
    const items = await this.#items(path, { group: externalMetrics, resource: metric }, "external");
    return items.map(milliValueOf);
  }

  /** A namespace is described by itself, and by no other one. */
  #described(namespace: string, object: DescribedObject, metric: string) {
    const { group, kind, name } = object;
    if (kind === "Namespace" && group === "") {
      const requested = { group: customMetrics, resource: "metrics", name: metric };
      return { path: `namespaces/${namespace}/metrics/${metric}`, requested };
    }
    const [mapped] = this.#api.resourcesOf({ group, kind });
    if (mapped === undefined) {
      const problem = `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`;
      const reason = `unable to map kind ${formatGroupKind({ group, kind })} to resource: ${problem}`;
      throw new Error(`unable to fetch metrics from custom metrics API: ${reason}`);
    }
    const resource = formatGroupResource(mapped);
    const path = `namespaces/${namespace}/${resource}/${encodeURIComponent(name)}/${metric}`;
    return { path, requested: { group: customMetrics, resource, name } };
  }

  async #custom(
    path: string,
    requested: GroupResource & { readonly name: string },
    { selector }: MetricQuery,
    podSelector: string,
  ): Promise<readonly JsonObject[]> {
    const search = query({ labelSelector: podSelector, metricLabelSelector: selector });
    try {
      const version = await this.#customVersion();
      return listAt(await this.#api.get(`/apis/${version}/${path}${search}`, requested), "items");
    } catch (error) {
      throw new Error(`unable to fetch metrics from custom metrics API: ${messageOf(error)}`);
    }
  }

  /** The version that the server of custom metrics prefers. */
  async #customVersion(): Promise<string> {
    const group = await this.#customGroup();
    const preferred = textAt(group, "preferredVersion", "version");
    const served = [preferred, ...listAt(group, "versions").map((version) => textAt(version, "version"))];
    const version = served.find((name) => customVersions.includes(name));
    if (version === undefined) throw new Error("no known available metric versions found");
    return `${customMetrics}/${version}`;
  }

  async #customGroup(): Promise<JsonObject> {
    try {
      return await this.#api.get(`/apis/${customMetrics}`, { group: "", resource: "" });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw new Error(`no custom metrics API (${customMetrics}) registered`);
    }
  }

  async #items(
    path: string,
    requested: GroupResource,
    api: "resource" | "external",
  ): Promise<readonly JsonObject[]> {
    let items: readonly JsonObject[];
    try {
      items = listAt(await this.#api.get(path, requested), "items");
    } catch (error) {
      throw new Error(`unable to fetch metrics from ${api} metrics API: ${messageOf(error)}`);
    }
    if (items.length === 0) throw new Error(`no metrics returned from ${api} metrics API`);
    return items;
  }
}

/** The sum of the containers, or one of them, in thousandths; undefined if any of them has no value. */
function usageOf(item: JsonObject, resource: string, container: string): bigint | undefined {
  const containers = listAt(item, "containers").filter(
    (one) => container === "" || one["name"] === container,
  );
  if (containers.length === 0) return undefined;
  let sum = 0n;
  for (const { usage } of containers) {
    const text = textAt({ usage: usage ?? null }, "usage", resource);
    if (text === "") return undefined;
    sum += parseQuantity(text).milliValue();
  }
  return sum;
}

function measured(item: JsonObject, value: bigint | undefined): readonly (readonly [string, PodMetric])[] {
  if (value === undefined) return [];
  const window = parseDurationMilliseconds(textAt(item, "window") || "0s");
  return [
    [textAt(item, "metadata", "name"), { value, timestamp: Date.parse(textAt(item, "timestamp")), window }],
  ];
}

function customMetricOf(item: JsonObject): PodMetric {
  // v1beta1 calls it `window`.
  const seconds = ["windowSeconds", "window"].find((field) => typeof item[field] === "number");
  const window = seconds === undefined ? defaultWindow : numberAt(item, seconds) * 1000;
  return { value: milliValueOf(item), timestamp: Date.parse(textAt(item, "timestamp")), window };
}

function milliValueOf(item: JsonObject): bigint {
  return parseQuantity(textAt(item, "value") || "0").milliValue();
}

function query(parameters: { readonly [name: string]: string }): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
