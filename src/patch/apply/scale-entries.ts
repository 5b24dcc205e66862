import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import { fieldPath } from "./field-filter.ts";
import { hasPath, isEmptySet, type Path } from "./field-set.ts";
import { difference, setOf } from "./field-set-algebra.ts";
import { decodeManagedFields, encodeManagedFields, type Managers } from "./managed-fields.ts";

/**
 * The path of the replicas in each version of a kind, by `apiVersion`; undefined for a version without a scale
 * subresource. Versions that are missing here are unknown.
 */
export type ReplicasPaths = ReadonlyMap<string, Path | undefined>;

const SCALE_VERSION = "autoscaling/v1";
const scaleReplicas = fieldPath("spec.replicas");

/**
 * The entries that own an object's replicas, converted to entries of its Scale.
 * @throws {DecodeError} for invalid entries
 */
export function entriesForScale(
  entries: JsonValue | undefined,
  paths: ReplicasPaths,
): JsonObject[] | undefined {
  const { managers, times } = decodeManagedFields(entries);
  const scale: Managers = new Map();
  for (const [id, owned] of managers) {
    const path = paths.get(owned.apiVersion);
    if (path === undefined || !hasPath(owned.set, path)) continue;
    scale.set(id, { ...owned, set: setOf(scaleReplicas), apiVersion: SCALE_VERSION });
  }
  return encodeManagedFields({ managers: scale, times, sources: new Map() });
}

/**
 * The entries of an object after a write to its Scale produced `scaleEntries`. Managers that lost the replicas in the
 * Scale lose them here. New owners get them in the version of the object, without a time.
 * @throws {DecodeError} for invalid entries
 */
export function entriesAfterScale(
  entries: JsonValue | undefined,
  scaleEntries: JsonValue | undefined,
  apiVersion: string,
  paths: ReplicasPaths,
): JsonObject[] | undefined {
  const parent = decodeManagedFields(entries);
  const scale = new Map(decodeManagedFields(scaleEntries).managers);
  const managers: Managers = new Map();
  for (const [id, owned] of parent.managers) {
    if (!paths.has(owned.apiVersion)) continue;
    const path = paths.get(owned.apiVersion);
    if (path === undefined || !hasPath(owned.set, path) || scale.delete(id)) {
      managers.set(id, owned);
      continue;
    }
    const set = difference(owned.set, setOf(path));
    if (!isEmptySet(set)) managers.set(id, { ...owned, set });
  }
  const path = paths.get(apiVersion);
  for (const [id, owned] of scale) {
    if (path !== undefined && hasPath(owned.set, scaleReplicas)) {
      managers.set(id, { ...owned, set: setOf(path), apiVersion });
    }
  }
  return encodeManagedFields({ ...parent, managers });
}
