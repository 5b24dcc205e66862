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
  const gone = goneOf(versions, whole, pruned, before, owned);
  if (gone === undefined) return merged;
  return inVersion(versions, objectOf(removeItems(type, converted, gone)), apiVersion) ?? merged;
}

/** An object, and all there is in it. */
interface Typed {
  readonly type: ApplyType;
  readonly object: JsonObject;
  readonly set: FieldSet;
}

/** What is owned in each version. The version that is pruned comes first: conversion to others may need what stays in it. */
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
 * The fields to remove: the applier's last fields that are neither owned nor inside of owned fields. As upstream does
 * it: prune all of them, add back owned fields with their siblings, and see what is missing. Undefined if the object
 * cannot be converted to the version of the fields.
 */
function goneOf(
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

/** What pruning left, and what is owned. */
function keptOf(type: ApplyType, pruned: JsonObject, owned: FieldSet): FieldSet {
  return union(namedFieldSetOf(type, pruned), withNamedFields(type, owned));
}

function typed(versions: Versions, object: JsonObject): Typed {
  const { type } = servedKind(versions, String(object.apiVersion));
  return { type, object, set: namedFieldSetOf(type, object) };
}
