import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { ApplyType } from "./apply-type.ts";
import { emptySet, type FieldSet } from "./field-set.ts";
import { difference, intersection, union } from "./field-set-algebra.ts";
import { fieldSetOf } from "./field-set-of.ts";
import type { Managers, VersionedSet } from "./managed-fields.ts";
import { removeItems, withNamedFields } from "./remove.ts";
import { inVersion, servedKind, type Versions } from "./versions.ts";

/**
 * The merged object without what the applier owned at its last apply and nobody owns now, itself included. An item or
 * structure stays while somebody owns something in it.
 */
export function prune(
  versions: Versions,
  merged: JsonObject,
  owners: Managers,
  apiVersion: string,
  last: VersionedSet,
): JsonObject {
  const converted = inVersion(versions, merged, last.apiVersion);
  if (converted === undefined) return merged;
  const { type } = servedKind(versions, last.apiVersion);
  const pruned = objectOf(removeItems(type, converted, withNamedFields(type, last.set)));
  const kept = restoreOwned(versions, converted, pruned, last.apiVersion, owners);
  const left = restoreForeign(versions, converted, kept, last);
  return inVersion(versions, left, apiVersion) ?? merged;
}

function objectOf(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Puts back what was pruned although somebody owns it. */
function restoreOwned(
  versions: Versions,
  merged: JsonObject,
  pruned: JsonObject,
  prunedVersion: string,
  owners: Managers,
): JsonObject {
  // The version that was pruned comes first: conversion of the others may need what it puts back.
  const owned = new Map<string, FieldSet>([[prunedVersion, emptySet]]);
  for (const { apiVersion, set } of owners.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? emptySet, set));
  }
  let state = { merged, pruned };
  for (const [apiVersion, set] of owned) state = restoreAt(versions, state, apiVersion, set);
  return state.pruned;
}

interface Pruning {
  readonly merged: JsonObject;
  readonly pruned: JsonObject;
}

function restoreAt(versions: Versions, state: Pruning, apiVersion: string, owned: FieldSet): Pruning {
  const merged = inVersion(versions, state.merged, apiVersion);
  const pruned = inVersion(versions, state.pruned, apiVersion);
  if (merged === undefined || pruned === undefined) return state;
  const { type } = servedKind(versions, apiVersion);
  const kept = union(namedFieldSetOf(type, pruned), withNamedFields(type, owned));
  const unowned = difference(namedFieldSetOf(type, merged), kept);
  return { merged, pruned: objectOf(removeItems(type, merged, unowned)) };
}

/** Puts back what was in a pruned item or structure, but never was the applier's. */
function restoreForeign(
  versions: Versions,
  merged: JsonObject,
  pruned: JsonObject,
  last: VersionedSet,
): JsonObject {
  const converted = inVersion(versions, pruned, last.apiVersion);
  if (converted === undefined) return merged;
  const { type } = servedKind(versions, last.apiVersion);
  const gone = difference(namedFieldSetOf(type, merged), namedFieldSetOf(type, converted));
  return objectOf(removeItems(type, merged, intersection(gone, withNamedFields(type, last.set))));
}

function namedFieldSetOf(type: ApplyType, object: JsonObject): FieldSet {
  return withNamedFields(type, fieldSetOf(type, object));
}
