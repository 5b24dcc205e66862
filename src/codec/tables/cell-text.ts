import { listAt, objectAt, textAt, valueAt } from "../../apimachinery/fields.ts";
import { humanDuration } from "../../apimachinery/go/human-duration.ts";
import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { sortedKeys } from "../../apimachinery/text-order.ts";
import { timeMilliseconds } from "../../apimachinery/time.ts";

export function nameOf(object: KubeObject): string {
  return textAt(object, "metadata", "name");
}

/** The age of the object. */
export function ageOf(object: KubeObject, now: number): string {
  return timeSince(object.metadata.creationTimestamp, now);
}

/** The duration since a time; `<unknown>` if it is not set. */
export function timeSince(time: JsonValue | undefined, now: number): string {
  const milliseconds = typeof time === "string" ? timeMilliseconds(time) : Number.NaN;
  return Number.isNaN(milliseconds) ? "<unknown>" : humanDuration(now - milliseconds);
}

/** The text, or `<none>` if it is empty. */
export function orNone(text: string): string {
  return text === "" ? "<none>" : text;
}

/** Labels as `a=b,c=d` in the order of their keys, or `<none>`. */
export function formatLabels(labels: JsonObject | undefined): string {
  const keys = sortedKeys(labels ?? {});
  return orNone(keys.map((key) => `${key}=${labels?.[key]}`).join(","));
}

/** The first texts of a list and the number of the others: `a,b,c + 2 more...`. */
export function firstFew(texts: readonly string[], most: number, separator = ","): string {
  if (texts.length <= most) return texts.join(separator);
  return `${texts.slice(0, most).join(separator)} + ${texts.length - most} more...`;
}

/** The quantity at a path, or Go's zero quantity if it is not set. */
export function quantityAt(object: JsonObject, ...path: readonly string[]): string {
  const value = valueAt(object, ...path);
  return typeof value === "string" || typeof value === "number" ? String(value) : "0";
}

/** The names of a pod template's containers, and their images: two cells. */
export function containerCells(object: JsonObject, ...path: readonly string[]): [string, string] {
  const containers = listAt(object, ...path, "spec", "containers");
  return [
    containers.map((container) => textAt(container, "name")).join(","),
    containers.map((container) => textAt(container, "image")).join(","),
  ];
}

/** The first condition of a type in the object's status. */
export function conditionOf(object: JsonObject, type: string): JsonObject | undefined {
  const status = objectAt(object, "status");
  return status && listAt(status, "conditions").find((condition) => condition.type === type);
}
