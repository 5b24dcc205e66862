import { integerAt, listAt, objectAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { ageOf, firstFew, nameOf } from "../../../codec/tables/cell-text.ts";
import type { Printer } from "../../../codec/tables/printer.ts";

/** The field of each type of metric, in the spec and in the status. */
const sources: ReadonlyMap<string, string> = new Map([
  ["External", "external"],
  ["Pods", "pods"],
  ["Object", "object"],
  ["Resource", "resource"],
  ["ContainerResource", "containerResource"],
]);

/** The maximum number of metrics in a cell. */
const shownMax = 2;

export const horizontalPodAutoscalerPrinter: Printer = {
  cells: (autoscaler, now) => [
    nameOf(autoscaler),
    `${textAt(autoscaler, "spec", "scaleTargetRef", "kind")}/${textAt(autoscaler, "spec", "scaleTargetRef", "name")}`,
    targets(autoscaler),
    String(valueAt(autoscaler, "spec", "minReplicas") ?? "<unset>"),
    integerAt(autoscaler, "spec", "maxReplicas"),
    integerAt(autoscaler, "status", "currentReplicas"),
    ageOf(autoscaler, now),
  ],
};

/** The current value and the target of each metric. Specs and statuses are matched by their index. */
function targets(autoscaler: KubeObject): string {
  const metrics = listAt(autoscaler, "spec", "metrics");
  if (metrics.length === 0) return cpuTarget(autoscaler);
  const states = listAt(autoscaler, "status", "currentMetrics");
  return firstFew(
    metrics.map((metric, i) => metricText(metric, states[i])),
    shownMax,
    ", ",
  );
}

/** Releases before 1.24 store autoscaling/v1, which has a single metric. */
function cpuTarget({ spec = null, status = null }: KubeObject): string {
  const target = valueAt({ spec }, "spec", "targetCPUUtilizationPercentage");
  if (target === undefined || target === null) return "<none>";
  const current = valueAt({ status }, "status", "currentCPUUtilizationPercentage");
  return `cpu: ${percent(current) ?? "<unknown>"}/${percent(target)}`;
}

function metricText(metric: JsonObject, state: JsonObject | undefined): string {
  const type = textAt(metric, "type");
  const source = sources.get(type);
  if (source === undefined) return "<unknown type>";
  const target = objectAt(metric, source, "target") ?? {};
  const found = state && objectAt(state, source);
  const current = found && (objectAt(found, "current") ?? {});
  switch (type) {
    case "Pods":
      return `${currentQuantity(current, "averageValue")}/${quantity(target.averageValue)}`;
    case "External":
    case "Object":
      return valueText(target, current);
    default:
      return `${textAt(metric, source, "name")}: ${resourceText(target, current)}`;
  }
}

function valueText(target: JsonObject, current: JsonObject | undefined): string {
  if (!isSet(target.averageValue)) return `${currentQuantity(current, "value")}/${quantity(target.value)}`;
  const average = isSet(current?.averageValue) ? quantity(current?.averageValue) : "<unknown>";
  return `${average}/${quantity(target.averageValue)} (avg)`;
}

function resourceText(target: JsonObject, current: JsonObject | undefined): string {
  if (isSet(target.averageValue)) {
    return `${currentQuantity(current, "averageValue")}/${quantity(target.averageValue)}`;
  }
  const utilization = percent(current?.averageUtilization) ?? "<unknown>";
  return `${utilization}/${percent(target.averageUtilization) ?? "<auto>"}`;
}

function currentQuantity(current: JsonObject | undefined, field: string): string {
  return current === undefined ? "<unknown>" : quantity(current[field]);
}

/** A quantity, or what Go prints for one that is not set. */
function quantity(value: JsonValue | undefined): string {
  return isSet(value) ? String(value) : "<nil>";
}

function percent(value: JsonValue | undefined): string | undefined {
  return isSet(value) ? `${value}%` : undefined;
}

function isSet(value: JsonValue | undefined): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
