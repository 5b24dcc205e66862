import { DecodeError } from "../apimachinery/decode-error.ts";
import { goTypeOf } from "../apimachinery/go/go-text.ts";
import { plainJson, StrictErrors } from "../apimachinery/go/parsed-json.ts";
import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonCopy,
  type MutableJsonObject,
  setKey,
} from "../apimachinery/json.ts";
import type { Schema } from "../catalog/type-schema.ts";
import { type JsonBody, readJson } from "../codec/json/json.ts";
import { jsonKind } from "../schema/decode-state.ts";
import { discardNulls, listWithoutDirectives, ownObject, withoutDirectives } from "./added-value.ts";
import {
  applyDirective,
  deletionPrefix,
  directiveMarker,
  fieldOf,
  orderPrefix,
  retainKeys,
} from "./directives.ts";
import { orderParts, partition } from "./element-order.ts";
import type { FieldValidation } from "./field-validation.ts";
import { elementType, type MergedList, mergeLists, withoutValues } from "./merge-list.ts";
import { PatchError } from "./patch-error.ts";
import { fieldMeta, listMeta, type PatchMeta } from "./patch-schema.ts";
import { checkOrder } from "./set-element-order.ts";
import { badType, goListType, goMapType } from "./strategic-errors.ts";

/** A parsed strategic merge patch. */
export interface StrategicMergePatch {
  readonly patch: JsonObject;
  /** The errors of strict field validation: `duplicate field "spec.replicas"`. Empty if nothing is validated. */
  readonly strictErrors: readonly string[];
}

/** The result of a strategic merge patch. */
export interface StrategicMerge {
  /** Not decoded yet: members may be unknown to the schema or have wrong types. */
  readonly document: JsonObject;
  /** The rest of the patch after the merge; errors about the document show it. */
  readonly patch: JsonObject;
}

/**
 * The document after a strategic merge patch; neither argument changes. The schema states which lists are merged, and
 * the keys that identify their elements.
 * @throws {PatchError}
 */
export function applyStrategicMergePatch(
  document: JsonObject,
  patch: JsonObject,
  schema: Schema,
): StrategicMerge {
  const remaining = jsonCopy(patch);
  return { document: mergeMaps(document, remaining, schema), patch: remaining };
}

function mergeMaps(original: JsonObject, patchMap: JsonObject, schema: Schema): JsonObject {
  const patch = ownObject(patchMap);
  const directive = getKey(patch, directiveMarker);
  if (directive !== undefined) return applyDirective(directive, patch);
  const merged = { ...original };
  retainKeys(merged, patch);
  mergeOrderedLists(merged, patch, schema);
  for (const [key, value] of Object.entries(patch)) mergeMember(merged, key, value, schema);
  return merged;
}

/** Merges the lists that have a `$setElementOrder`, and removes them and the order from the patch. */
function mergeOrderedLists(merged: MutableJsonObject, patch: MutableJsonObject, schema: Schema): void {
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(orderPrefix)) continue;
    delete patch[key];
    if (!Array.isArray(order)) throw badType(goListType, order);
    const field = fieldOf(key, orderPrefix);
    const original = listOf(merged, field);
    const changes = listOf(patch, field);
    const meta = listMeta(schema, field);
    checkOrder(changes ?? [], order, meta.mergeKey);
    const merge = mergeOrdered(original, changes, meta);
    if (merge === undefined) continue;
    const { list, serverOrder } = merge;
    const unordered = { merged: list, patchOrder: order, serverOrder, mergeKey: meta.mergeKey };
    const parts = partition(unordered);
    elementType(original ?? [], changes ?? []);
    setKey(merged, field, orderParts(unordered, parts));
    delete patch[field];
  }
}

function listOf(object: JsonObject, field: string): readonly JsonValue[] | undefined {
  const list = getKey(object, field);
  if (list === undefined || Array.isArray(list)) return list;
  throw badType(goListType, list);
}

/** Undefined if neither the original nor the patch has the list. */
function mergeOrdered(
  original: readonly JsonValue[] | undefined,
  changes: readonly JsonValue[] | undefined,
  meta: PatchMeta,
): MergedList | undefined {
  if (changes === undefined) {
    return original === undefined ? undefined : { list: original, serverOrder: original };
  }
  if (original === undefined) return { list: listWithoutDirectives(changes), serverOrder: [] };
  return meta.merges
    ? mergeLists(original, changes, meta, mergeMaps)
    : { list: changes, serverOrder: original };
}

function mergeMember(merged: MutableJsonObject, sentKey: string, value: JsonValue, schema: Schema): void {
  const isDeletion = sentKey.startsWith(deletionPrefix);
  const key = (isDeletion && fieldOf(sentKey, deletionPrefix)) || sentKey;
  if (value === null) {
    delete merged[key];
    return;
  }
  const current = getKey(merged, key);
  if (current === undefined || goTypeOf(current) !== goTypeOf(value)) {
    if (!isDeletion) addMember(merged, key, value);
  } else if (isJsonObject(current) && isJsonObject(value)) {
    const meta = fieldMeta(schema, key);
    setKey(merged, key, meta.replaces ? value : mergeMaps(current, value, meta.schema));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const meta = listMeta(schema, key);
    if (isDeletion) setKey(merged, key, withoutValues(current, value, meta, mergeMaps));
    else setKey(merged, key, meta.merges ? mergeLists(current, value, meta, mergeMaps).list : value);
  } else {
    addMember(merged, key, value);
  }
}

/** Adds a value that has no counterpart to merge with. */
function addMember(merged: MutableJsonObject, key: string, value: JsonValue): void {
  discardNulls(value);
  const added = withoutDirectives(value);
  if (added === undefined) delete merged[key];
  else setKey(merged, key, added);
}

/**
 * Parses a strategic merge patch. Null changes nothing.
 * @throws {PatchError} badRequest with Go's message
 */
export function parseStrategicMergePatch(
  body: JsonBody,
  fieldValidation: FieldValidation,
): StrategicMergePatch {
  const strictErrors = new StrictErrors();
  const patch = decoded(body, strictErrors) ?? {};
  if (!isJsonObject(patch)) {
    const problem = `json: cannot unmarshal ${jsonKind(patch)} into Go value of type ${goMapType}`;
    throw new PatchError("badRequest", problem);
  }
  return { patch, strictErrors: fieldValidation === "Ignore" ? [] : strictErrors.list() };
}

function decoded(body: JsonBody, strictErrors: StrictErrors): JsonValue {
  try {
    return plainJson(readJson(body), strictErrors);
  } catch (error) {
    throw error instanceof DecodeError ? new PatchError("badRequest", error.message) : error;
  }
}
