import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { ApplyType } from "./apply-type.ts";
import { emptySet, type FieldSet } from "./field-set.ts";
import { difference, intersection, union } from "./field-set-algebra.ts";
import { namedFieldSetOf } from "./field-set-of.ts";
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
  const lastSet = withNamedFields(type, last.set);
  const whole: Typed = { type, object: converted, set: namedFieldSetOf(type, converted) };
  const kept = restoreOwned(versions, whole, objectOf(removeItems(type, converted, lastSet)), owners);
  const keptAgain = inVersion(versions, kept, last.apiVersion);
  if (keptAgain === undefined) return merged;
  const gone = difference(whole.set, namedFieldSetOf(type, keptAgain));
  const left = objectOf(removeItems(type, converted, intersection(gone, lastSet)));
  return inVersion(versions, left, apiVersion) ?? merged;
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

/** The pruned object with what somebody owns in it again, and whatever stands beside that. */
function restoreOwned(versions: Versions, whole: Typed, pruned: JsonObject, owners: Managers): JsonObject {
  let left = pruned;
  let merged = whole.object;
  for (const [apiVersion, owned] of ownedByVersion(owners, String(whole.object.apiVersion))) {
    const converted = inVersion(versions, merged, apiVersion);
    const convertedLeft = inVersion(versions, left, apiVersion);
    if (converted === undefined || convertedLeft === undefined) continue;
    merged = converted;
    left =
      converted === whole.object
        ? unpruned(whole, convertedLeft, owned)
        : unpruned(typed(versions, converted), convertedLeft, owned);
  }
  return left;
}

function typed(versions: Versions, object: JsonObject): Typed {
  const { type } = servedKind(versions, String(object.apiVersion));
  return { type, object, set: namedFieldSetOf(type, object) };
}

/** The whole object but for what neither was left by pruning nor is owned. */
function unpruned({ type, object, set }: Typed, pruned: JsonObject, owned: FieldSet): JsonObject {
  const kept = union(namedFieldSetOf(type, pruned), withNamedFields(type, owned));
  return objectOf(removeItems(type, object, difference(set, kept)));
}
