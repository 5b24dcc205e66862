import { objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject, JsonValue, MutableJsonObject } from "../../../apimachinery/json.ts";
import { canonicalQuantity } from "../../../apimachinery/quantity.ts";

/** A metric of the resource `cpu`. */
export function cpuMetric(values: JsonObject): JsonObject {
  return { type: "Resource", resource: { name: "cpu", ...values } };
}

/** The average CPU utilization of a metric; undefined for other metrics. */
export function utilizationOf(metric: JsonObject, values: "target" | "current"): JsonValue | undefined {
  const resource = objectAt(metric, "resource");
  if (metric["type"] !== "Resource" || resource === undefined || textAt(resource, "name") !== "cpu")
    return undefined;
  return structAt(resource, values)["averageUtilization"];
}

/**
 * A metric in the form of autoscaling/v1 and v2beta1, where name and target have no structures. Fields are in Go's
 * order.
 */
export function flatMetric(metric: JsonObject): JsonObject {
  return convertedSources(metric, {
    object: (source) => {
      const { value = "0", averageValue } = structAt(source, "target");
      return {
        target: reference(structAt(source, "describedObject")),
        ...metricName(source),
        targetValue: value,
        ...selector(source, "selector"),
        ...present("averageValue", averageValue),
      };
    },
    pods: (source) => ({
      ...metricName(source),
      targetAverageValue: structAt(source, "target")["averageValue"] ?? "0",
      ...selector(source, "selector"),
    }),
    resource: (source) => ({ name: textAt(source, "name"), ...flatTarget(source) }),
    containerResource: (source) => ({
      name: textAt(source, "name"),
      ...flatTarget(source),
      container: textAt(source, "container"),
    }),
    external: (source) => {
      const { value, averageValue } = structAt(source, "target");
      return {
        ...metricName(source),
        ...selector(source, "metricSelector"),
        ...present("targetValue", value),
        ...present("targetAverageValue", averageValue),
      };
    },
  });
}

/** The status of a metric in the form of autoscaling/v1 and v2beta1. */
export function flatMetricStatus(metric: JsonObject): JsonObject {
  return convertedSources(metric, {
    object: (source) => {
      const { value = "0", averageValue } = structAt(source, "current");
      return {
        target: reference(structAt(source, "describedObject")),
        ...metricName(source),
        currentValue: value,
        ...selector(source, "selector"),
        ...present("averageValue", averageValue),
      };
    },
    pods: (source) => ({
      ...metricName(source),
      currentAverageValue: structAt(source, "current")["averageValue"] ?? "0",
      ...selector(source, "selector"),
    }),
    resource: (source) => ({ name: textAt(source, "name"), ...flatCurrent(source) }),
    containerResource: (source) => ({
      name: textAt(source, "name"),
      ...flatCurrent(source),
      container: textAt(source, "container"),
    }),
    external: (source) => {
      const { value = "0", averageValue } = structAt(source, "current");
      return {
        ...metricName(source),
        ...selector(source, "metricSelector"),
        currentValue: value,
        ...present("currentAverageValue", averageValue),
      };
    },
  });
}

/** A metric in the form of autoscaling/v2. The type of its target follows from the value that is set. */
export function nestedMetric(metric: JsonObject): JsonObject {
  return convertedSources(metric, {
    object: (source) => ({
      describedObject: structAt(source, "target"),
      metric: metricIdentifier(source, "selector"),
      target: {
        type: source["averageValue"] === undefined ? "Value" : "AverageValue",
        value: quantity(source["targetValue"] ?? "0"),
        ...presentQuantity("averageValue", source["averageValue"]),
      },
    }),
    pods: (source) => ({
      metric: metricIdentifier(source, "selector"),
      target: { type: "AverageValue", averageValue: quantity(source["targetAverageValue"] ?? "0") },
    }),
    resource: (source) => ({ name: textAt(source, "name"), target: nestedTarget(source) }),
    containerResource: (source) => ({
      name: textAt(source, "name"),
      container: textAt(source, "container"),
      target: nestedTarget(source),
    }),
    external: (source) => ({
      metric: metricIdentifier(source, "metricSelector"),
      target: {
        type: source["targetValue"] === undefined ? "AverageValue" : "Value",
        ...presentQuantity("value", source["targetValue"]),
        ...presentQuantity("averageValue", source["targetAverageValue"]),
      },
    }),
  });
}

/** The status of a metric in the form of autoscaling/v2. */
export function nestedMetricStatus(metric: JsonObject): JsonObject {
  return convertedSources(metric, {
    object: (source) => ({
      describedObject: structAt(source, "target"),
      metric: metricIdentifier(source, "selector"),
      current: {
        value: quantity(source["currentValue"] ?? "0"),
        ...presentQuantity("averageValue", source["averageValue"]),
      },
    }),
    pods: (source) => ({
      metric: metricIdentifier(source, "selector"),
      current: { averageValue: quantity(source["currentAverageValue"] ?? "0") },
    }),
    resource: (source) => ({ name: textAt(source, "name"), current: nestedCurrent(source) }),
    containerResource: (source) => ({
      name: textAt(source, "name"),
      container: textAt(source, "container"),
      current: nestedCurrent(source),
    }),
    external: (source) => ({
      metric: metricIdentifier(source, "metricSelector"),
      current: {
        value: quantity(source["currentValue"] ?? "0"),
        ...presentQuantity("averageValue", source["currentAverageValue"]),
      },
    }),
  });
}

/** The conversion of each source of a metric, in the order of Go's fields. */
interface Sources {
  readonly object: (source: JsonObject) => JsonObject;
  readonly pods: (source: JsonObject) => JsonObject;
  readonly resource: (source: JsonObject) => JsonObject;
  readonly containerResource: (source: JsonObject) => JsonObject;
  readonly external: (source: JsonObject) => JsonObject;
}

function convertedSources(metric: JsonObject, sources: Sources): JsonObject {
  const result: MutableJsonObject = { type: textAt(metric, "type") };
  for (const [field, convert] of Object.entries(sources)) {
    const source = objectAt(metric, field);
    if (source !== undefined) result[field] = convert(source);
  }
  return result;
}

function flatTarget(source: JsonObject): JsonObject {
  const { averageUtilization, averageValue } = structAt(source, "target");
  return {
    ...present("targetAverageUtilization", averageUtilization),
    ...present("targetAverageValue", averageValue),
  };
}

function flatCurrent(source: JsonObject): JsonObject {
  const { averageUtilization, averageValue = "0" } = structAt(source, "current");
  return {
    ...present("currentAverageUtilization", averageUtilization),
    currentAverageValue: averageValue,
  };
}

function nestedTarget(source: JsonObject): JsonObject {
  const utilization = source["targetAverageUtilization"];
  return {
    type: utilization === undefined ? "AverageValue" : "Utilization",
    ...presentQuantity("averageValue", source["targetAverageValue"]),
    ...present("averageUtilization", utilization),
  };
}

function nestedCurrent(source: JsonObject): JsonObject {
  return {
    averageValue: quantity(source["currentAverageValue"] ?? "0"),
    ...present("averageUtilization", source["currentAverageUtilization"]),
  };
}

function metricName(source: JsonObject): JsonObject {
  return { metricName: textAt(source, "metric", "name") };
}

function selector(source: JsonObject, field: string): JsonObject {
  return present(field, structAt(source, "metric")["selector"]);
}

function metricIdentifier(source: JsonObject, selectorField: string): JsonObject {
  return { name: textAt(source, "metricName"), ...present("selector", source[selectorField]) };
}

function reference(object: JsonObject): JsonObject {
  const apiVersion = textAt(object, "apiVersion");
  return {
    kind: textAt(object, "kind"),
    name: textAt(object, "name"),
    ...(apiVersion !== "" && { apiVersion }),
  };
}

/** @throws {DecodeError} */
function quantity(value: JsonValue): string {
  return canonicalQuantity(String(value));
}

function presentQuantity(field: string, value: JsonValue | undefined): JsonObject {
  return present(field, value === undefined || value === null ? undefined : quantity(value));
}

function present(field: string, value: JsonValue | undefined): MutableJsonObject {
  return value === undefined || value === null ? {} : { [field]: value };
}
