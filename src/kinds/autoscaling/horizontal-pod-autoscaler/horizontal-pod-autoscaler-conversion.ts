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

/** autoscaling/v1 knows the utilization of the cpu alone, and keeps all else in annotations. */
export const horizontalPodAutoscalerV1: OwnConversion = { fromStored: toV1, toStored: fromV1 };

/** autoscaling/v2beta1 has every metric, with its target among the other fields. */
export const horizontalPodAutoscalerV2beta1: OwnConversion = { fromStored: toV2beta1, toStored: fromV2beta1 };

/** Releases that store autoscaling/v1 convert the other way round. */
export const horizontalPodAutoscalerV2: OwnConversion = { fromStored: fromV1, toStored: toV1 };

/** From autoscaling/v1 to autoscaling/v2beta1, by way of v2. */
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
  return withParts(object, {
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
  const explicit = target === undefined ? [] : [cpuMetric({ target: utilization(target) })];
  const metrics = [...others, ...explicit];
  const behavior = parsedAnnotation(object, annotations.behavior, behaviorFromGo);
  const currentMetrics =
    parsedAnnotation(object, annotations.currentMetrics, listOf(nestedMetricStatus)) ??
    (current === undefined ? undefined : [cpuMetric({ current: { averageUtilization: current } })]);
  const conditions = parsedAnnotation(
    object,
    annotations.conditions,
    listOf((condition) => condition),
  );
  return withParts(object, {
    spec: {
      ...spec,
      // What the controller did before there was a choice; here all metrics are known.
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
  return withParts(object, {
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
  return withParts(object, {
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
  /** Those of round trips; the object's own stay. */
  readonly annotations: { readonly [name: string]: string };
}

function withParts(object: KubeObject, { spec, status, annotations: added }: Parts): MutableKubeObject {
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
