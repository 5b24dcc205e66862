import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";

/**
 * The object with the managers' earlier times if a write would change only times, otherwise the object itself. Both
 * objects are in their stored form.
 */
export function keepTimes(object: KubeObject, live: KubeObject): KubeObject {
  const before = entriesOf(live);
  const after = entriesOf(object);
  if (after === undefined || before === undefined || before.length !== after.length) return object;
  if (jsonEqual(before, after) || !before.every((entry, i) => isSameButTime(entry, after[i]))) return object;
  const unchanged: KubeObject = { ...object, metadata: { ...object.metadata, managedFields: before } };
  return jsonEqual(unchanged, live) ? unchanged : object;
}

function entriesOf(object: KubeObject): readonly JsonValue[] | undefined {
  const { managedFields } = object.metadata;
  return Array.isArray(managedFields) ? managedFields : undefined;
}

function isSameButTime(a: JsonValue, b: JsonValue | undefined): boolean {
  return isJsonObject(a) && isJsonObject(b) && jsonEqual(withoutTime(a), withoutTime(b));
}

function withoutTime({ time: _time, ...entry }: JsonObject): JsonObject {
  return entry;
}
