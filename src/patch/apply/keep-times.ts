import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";

/**
 * The object with the times its managers had before, if times are all that a write would change; else the object as it
 * is. Both in the form in which they are stored.
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
