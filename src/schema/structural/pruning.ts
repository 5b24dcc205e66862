import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../../apimachinery/json.ts";
import { type Structural, schemaOfKey } from "./structural-schema.ts";

/** The fields of every object, which a schema need not state. */
export const metaFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** A value without unknown fields. */
export interface Pruned<T extends JsonValue> {
  readonly value: T;
  /** The paths of the dropped fields, sorted. */
  readonly dropped: readonly string[];
}

/**
 * The object without the fields that its schema does not have, and without null where the schema allows neither null nor
 * has a default. Parts that stay as they are are shared. Without a schema, only the fields of every object stay.
 * Upstream: pkg/apiserver/schema/pruning/algorithm.go and defaulting/prunenulls.go.
 */
export function pruneObject(object: JsonObject, schema: Structural | undefined): Pruned<JsonObject> {
  const dropped: string[] = [];
  const value = prunedEntries(object, schema, { dropped, isRoot: true }, "");
  return { value, dropped: dropped.sort() };
}

/** The same for a part of an object, such as a default. */
export function pruneValue(value: JsonValue, schema: Structural): Pruned<JsonValue> {
  const dropped: string[] = [];
  const pruned = prunedPart(value, schema, { dropped, isRoot: false }, "");
  return { value: pruned, dropped: dropped.sort() };
}

interface PruneState {
  readonly dropped: string[];
  /** Whether the value is a whole object, whose type and metadata stay. */
  readonly isRoot: boolean;
}

function prunedPart(
  value: JsonValue,
  schema: Structural | undefined,
  state: PruneState,
  path: string,
): JsonValue {
  if (isJsonObject(value)) return prunedEntries(value, schema, { ...state, isRoot: false }, path);
  if (!Array.isArray(value)) return value;
  const items = schema?.items;
  // Where unknown fields are preserved, items without a schema of their own are preserved too.
  if (items === undefined && schema?.preservesUnknownFields) return value;
  let isSame = true;
  const list = value.map((item: JsonValue, i) => {
    const pruned = prunedPart(item, items, state, `${path}[${i}]`);
    isSame &&= pruned === item;
    return pruned;
  });
  return isSame ? value : list;
}

function prunedEntries(
  object: JsonObject,
  schema: Structural | undefined,
  state: PruneState,
  path: string,
): JsonObject {
  const isResource = state.isRoot || schema?.isEmbeddedResource === true;
  const kept: MutableJsonObject = {};
  let isSame = true;
  for (const key in object) {
    // An own key: objects of parsed JSON have no other enumerable keys.
    const value = object[key] as JsonValue;
    const at = path === "" ? key : `${path}.${key}`;
    const pruned = isResource && metaFields.has(key) ? value : prunedEntry(key, value, schema, state, at);
    if (pruned === undefined) {
      isSame = false;
      continue;
    }
    isSame &&= pruned === value;
    setKey(kept, key, pruned);
  }
  return isSame ? object : kept;
}

/** Undefined for an entry that is dropped. */
function prunedEntry(
  key: string,
  value: JsonValue,
  schema: Structural | undefined,
  state: PruneState,
  path: string,
): JsonValue | undefined {
  const own = schema?.properties.get(key);
  if (own === undefined && schema?.additionalProperties === undefined) {
    if (schema?.preservesUnknownFields) return value;
    state.dropped.push(path);
    return undefined;
  }
  if (own !== undefined && isUnwantedNull(value, own)) return undefined;
  return prunedPart(value, schemaOfKey(schema, key), state, path);
}

function isUnwantedNull(value: JsonValue, schema: Structural): boolean {
  return value === null && !schema.nullable && schema.default === undefined;
}
