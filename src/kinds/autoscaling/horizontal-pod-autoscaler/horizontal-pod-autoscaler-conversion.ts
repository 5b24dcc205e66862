import { listAt, objectAt, structAt } from "../../../apimachinery/fields.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from "../../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import { encodeJson } from "../../../codec/json/json.ts";
import type { OwnConversion } from "../../../registry/contract/own-conversion.ts";
import { behaviorFromGo, goBehavior } from "./autoscaler-behavior.ts";
import {
  cpuMetric,
  flatMetric,
  flatMetricStatus,
  nestedMetric,
  nestedMetricStatus,
  utilizationOf,
} from "./autoscaler-metrics.ts";
import { roundTripAnnotations as annotations } from "./horizontal-pod-autoscaler-strategy.ts";
import { parsedAnnotation } from "./parsed-annotation.ts";

const defaultUtilization = 80;

/** autoscaling/v1 has fields for the CPU utilization only, and keeps everything else in annotations. */
export const horizontalPodAutoscalerV1: OwnConversion = { fromStored: toV1, toStored: fromV1 };

/** autoscaling/v2beta1 has all metrics, in flat structures. */
export const horizontalPodAutoscalerV2beta1: OwnConversion = { fromStored: toV2beta1, toStored: fromV2beta1 };

/** The same in the other direction, for releases that store autoscaling/v1. */
export const horizontalPodAutoscalerV2: OwnConversion = { fromStored: fromV1, toStored: toV1 };

/** Between autoscaling/v2beta1 and a stored autoscaling/v1, through v2. */
export const horizontalPodAutoscalerV1ToV2beta1: OwnConversion = {
  fromStored: (object) => toV2beta1(fromV1(object)),
  toStored: (object) => toV1(fromV2beta1(object)),
};

function toV1(object: KubeObject): MutableKubeObject {
  const { metrics: _metrics, behavior, ...spec } = structAt(object, "spec");
  const { currentMetrics: _current, conditions: _conditions, ...status } = structAt(object, "status");
  const metrics = listAt(object, "spec", "metrics");
  const currentMetrics = listAt(object, "status", "currentMetrics");
  const conditions = listAt(object, "status", "conditions");
  const others = metrics.filter((metric) => utilizationOf(metric, "target") === undefined);
  const targets = metrics.flatMap((metric) => utilizationOf(metric, "target") ?? []);
  const currents = currentMetrics.flatMap((metric) => utilizationOf(metric, "current") ?? []);
  return withConvertedParts(object, {
    spec: { ...spec, ...present("targetCPUUtilizationPercentage", targets.at(0)) },
    status: { ...status, ...present("currentCPUUtilizationPercentage", currents.at(-1)) },
    annotations: {
      ...(others.length > 0 && { [annotations.metrics]: encodeJson(others.map(flatMetric)) }),
      ...(currentMetrics.length > 0 && {
        [annotations.currentMetrics]: encodeJson(currentMetrics.map(flatMetricStatus)),
      }),
      ...(isJsonObject(behavior) && { [annotations.behavior]: encodeJson(goBehavior(behavior)) }),
      ...(conditions.length > 0 && { [annotations.conditions]: encodeJson(conditions) }),
    },
  });
}

function fromV1(object: KubeObject): MutableKubeObject {
  const { targetCPUUtilizationPercentage: target, ...spec } = structAt(object, "spec");
  const { currentCPUUtilizationPercentage: current, ...status } = structAt(object, "status");
  const others = parsedAnnotation(object, annotations.metrics, listOf(nestedMetric)) ?? [];
  const cpuMetrics = target === undefined ? [] : [cpuMetric({ target: utilization(target) })];
  const metrics = [...others, ...cpuMetrics];
  const behavior = parsedAnnotation(object, annotations.behavior, behaviorFromGo);
  const currentMetrics =
    parsedAnnotation(object, annotations.currentMetrics, listOf(nestedMetricStatus)) ??
    (current === undefined ? undefined : [cpuMetric({ current: { averageUtilization: current } })]);
  const conditions = parsedAnnotation(
    object,
    annotations.conditions,
    listOf((condition) => condition),
  );
  return withConvertedParts(object, {
    spec: {
      ...spec,
      // The default metric applies here, where the metrics of the annotations are known.
      metrics: metrics.length > 0 ? metrics : [cpuMetric({ target: utilization(defaultUtilization) })],
      ...present("behavior", behavior),
    },
    status: { ...status, ...present("currentMetrics", currentMetrics), ...present("conditions", conditions) },
    annotations: {},
  });
}

function toV2beta1(object: KubeObject): MutableKubeObject {
  const { behavior, ...spec } = structAt(object, "spec");
  const metrics = listAt(object, "spec", "metrics");
  const currentMetrics = listAt(object, "status", "currentMetrics");
  return withConvertedParts(object, {
    spec: { ...spec, metrics: metrics.map(flatMetric) },
    status: { ...structAt(object, "status"), currentMetrics: currentMetrics.map(flatMetricStatus) },
    annotations: {
      ...(isJsonObject(behavior) && { [annotations.behavior]: encodeJson(goBehavior(behavior)) }),
    },
  });
}

function fromV2beta1(object: KubeObject): MutableKubeObject {
  const metrics = listAt(object, "spec", "metrics");
  const status = structAt(object, "status");
  const currentMetrics = listAt(status, "currentMetrics");
  const behavior = parsedAnnotation(object, annotations.behavior, behaviorFromGo);
  return withConvertedParts(object, {
    spec: {
      ...structAt(object, "spec"),
      metrics: metrics.map(nestedMetric),
      ...present("behavior", behavior),
    },
    status: { ...status, currentMetrics: currentMetrics.map(nestedMetricStatus) },
    annotations: {},
  });
}

interface Parts {
  readonly spec: JsonObject;
  readonly status: JsonObject;
  /** The annotations of this conversion; other annotations stay. */
  readonly annotations: { readonly [name: string]: string };
}

function withConvertedParts(
  object: KubeObject,
  { spec, status, annotations: added }: Parts,
): MutableKubeObject {
  const roundTrip: ReadonlySet<string> = new Set(Object.values(annotations));
  const kept = Object.entries(object.metadata.annotations ?? {}).filter(([name]) => !roundTrip.has(name));
  const { annotations: _annotations, ...metadata } = object.metadata;
  const all = { ...Object.fromEntries(kept), ...added };
  const hasStatus = objectAt(object, "status") !== undefined || Object.keys(status).length > 0;
  return {
    ...object,
    metadata: { ...metadata, ...(Object.keys(all).length > 0 && { annotations: all }) },
    spec,
    ...(hasStatus && { status }),
  };
}

function utilization(averageUtilization: JsonValue): JsonObject {
  return { type: "Utilization", averageUtilization };
}

function listOf(
  read: (item: JsonObject) => JsonObject,
): (value: JsonValue) => readonly JsonObject[] | undefined {
  return (value) => (Array.isArray(value) && value.every(isJsonObject) ? value.map(read) : undefined);
}

function present(field: string, value: JsonValue | undefined): MutableJsonObject {
  return value === undefined ? {} : { [field]: value };
}
