import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
  shallowCopy,
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
  const value = prunedEntries(object, schema, { dropped, isRoot: true }, undefined);
  return { value, dropped: dropped.sort() };
}

/** The same for a part of an object, such as a default. */
export function pruneValue(value: JsonValue, schema: Structural): Pruned<JsonValue> {
  const dropped: string[] = [];
  const pruned = prunedPart(value, schema, { dropped, isRoot: false }, undefined);
  return { value: pruned, dropped: dropped.sort() };
}

interface PruneState {
  readonly dropped: string[];
  /** Whether the value is a whole object, whose type and metadata stay. */
  readonly isRoot: boolean;
}

/** Where a value is; undefined for the whole object. Only the paths of dropped fields become texts. */
interface Place {
  readonly above: Place | undefined;
  readonly step: string | number;
}

function prunedPart(
  value: JsonValue,
  schema: Structural | undefined,
  state: PruneState,
  place: Place | undefined,
): JsonValue {
  if (isJsonObject(value)) {
    return prunedEntries(value, schema, state.isRoot ? { ...state, isRoot: false } : state, place);
  }
  if (!Array.isArray(value)) return value;
  const items = schema?.items;
  // Where unknown fields are preserved, items without a schema of their own are preserved too.
  if (items === undefined && schema?.preservesUnknownFields) return value;
  let isSame = true;
  const list = value.map((item: JsonValue, step) => {
    if (typeof item !== "object") return item;
    const pruned = prunedPart(item, items, state, { above: place, step });
    isSame &&= pruned === item;
    return pruned;
  });
  return isSame ? value : list;
}

function prunedEntries(
  object: JsonObject,
  schema: Structural | undefined,
  state: PruneState,
  place: Place | undefined,
): JsonObject {
  const isResource = state.isRoot || schema?.isEmbeddedResource === true;
  let kept: MutableJsonObject | undefined;
  for (const key in object) {
    // An own key: objects of parsed JSON have no other enumerable keys.
    const value = object[key] as JsonValue;
    if (isResource && metaFields.has(key) && !(value === null && isDroppedNull(key, schema, state))) continue;
    const pruned = prunedEntry(key, value, schema, state, place);
    if (pruned === value) continue;
    kept ??= shallowCopy(object);
    if (pruned === undefined) delete kept[key];
    else setKey(kept, key, pruned);
  }
  return kept ?? object;
}

/** Whether a type or metadata of null in an embedded resource is dropped, as other null is. Those of the whole object stay. */
function isDroppedNull(key: string, schema: Structural | undefined, { isRoot }: PruneState): boolean {
  const own = schemaOfKey(schema, key);
  return !isRoot && own !== undefined && isUnwantedNull(null, own);
}

/** Undefined for an entry that is dropped. */
function prunedEntry(
  key: string,
  value: JsonValue,
  schema: Structural | undefined,
  state: PruneState,
  place: Place | undefined,
): JsonValue | undefined {
  const own = schema?.properties.get(key);
  if (own === undefined && schema?.additionalProperties === undefined) {
    if (schema?.preservesUnknownFields) return value;
    state.dropped.push(pathOf({ above: place, step: key }));
    return undefined;
  }
  const inner = own ?? schemaOfKey(schema, key);
  if (inner !== undefined && isUnwantedNull(value, inner)) return undefined;
  if (typeof value !== "object") return value;
  return prunedPart(value, inner, state, { above: place, step: key });
}

function isUnwantedNull(value: JsonValue, schema: Structural): boolean {
  return value === null && !schema.nullable && schema.default === undefined;
}

function pathOf(place: Place): string {
  const steps: string[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.above) {
    const { step } = at;
    if (typeof step === "number") steps.push(`[${step}]`);
    else steps.push(at.above === undefined ? step : `.${step}`);
  }
  return steps.reverse().join("");
}
