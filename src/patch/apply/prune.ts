import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { ApplyType } from "./apply-type.ts";
import { emptySet, type FieldSet } from "./field-set.ts";
import { difference, intersection, union } from "./field-set-algebra.ts";
import { namedFieldSetOf } from "./field-set-of.ts";
import type { Managers, VersionedSet } from "./managed-fields.ts";
import { removeItems, withNamedFields } from "./remove.ts";
import { inVersion, servedKind, type Versions } from "./versions.ts";

/**
 * The merged object without the fields that the applier owned at its last apply and that have no owner now. Items and
 * structures stay while any of their fields is owned.
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
  const before = withNamedFields(type, last.set);
  const whole: Typed = { type, object: converted, set: namedFieldSetOf(type, converted) };
  const pruned = objectOf(removeItems(type, converted, before));
  const owned = ownedByVersion(owners, last.apiVersion);
  const gone = removedFields(versions, whole, pruned, before, owned);
  if (gone === undefined) return merged;
  return inVersion(versions, objectOf(removeItems(type, converted, gone)), apiVersion) ?? merged;
}

/** An object and the set of all its fields. */
interface Typed {
  readonly type: ApplyType;
  readonly object: JsonObject;
  readonly set: FieldSet;
}

/** The owned fields by version. The pruned version comes first: conversion to other versions may need its fields. */
function ownedByVersion(owners: Managers, first: string): ReadonlyMap<string, FieldSet> {
  const owned = new Map<string, FieldSet>([[first, emptySet]]);
  for (const { apiVersion, set } of owners.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? emptySet, set));
  }
  return owned;
}

function objectOf(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}

/**
 * The fields to remove: the applier's last fields that are neither owned nor inside owned fields. As upstream does it,
 * prunes all of them, adds back owned fields with their siblings, and returns the fields that are missing. Undefined if
 * the object cannot be converted to the version of the fields.
 */
function removedFields(
  versions: Versions,
  whole: Typed,
  pruned: JsonObject,
  before: FieldSet,
  owned: ReadonlyMap<string, FieldSet>,
): FieldSet | undefined {
  let left = pruned;
  let merged = whole.object;
  for (const [apiVersion, set] of owned) {
    const converted = inVersion(versions, merged, apiVersion);
    const convertedLeft = inVersion(versions, left, apiVersion);
    if (converted === undefined || convertedLeft === undefined) continue;
    merged = converted;
    const at = converted === whole.object ? whole : typed(versions, converted);
    left = objectOf(removeItems(at.type, converted, difference(at.set, keptOf(at.type, convertedLeft, set))));
  }
  const kept = inVersion(versions, left, String(whole.object.apiVersion));
  return kept && intersection(difference(whole.set, namedFieldSetOf(whole.type, kept)), before);
}

/** The fields that pruning kept, and the owned fields. */
function keptOf(type: ApplyType, pruned: JsonObject, owned: FieldSet): FieldSet {
  return union(namedFieldSetOf(type, pruned), withNamedFields(type, owned));
}

function typed(versions: Versions, object: JsonObject): Typed {
  const { type } = servedKind(versions, String(object.apiVersion));
  return { type, object, set: namedFieldSetOf(type, object) };
}
