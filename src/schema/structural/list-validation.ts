import { fieldDuplicate, fieldInvalid } from "../../apimachinery/errors/field.ts";
import { goJson } from "../../apimachinery/go/go-json.ts";
import {
  getKey,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
  setKey,
} from "../../apimachinery/json.ts";
import { sortedKeys } from "../../apimachinery/text-order.ts";
import { child, index, key } from "../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { type Structural, schemaOfKey } from "./structural-schema.ts";

/**
 * Adds an error for each item that repeats another of a set, or the keys of another of a map list. Upstream:
 * apiextensions-apiserver, pkg/apiserver/schema/listtype/validation.go.
 */
export function addListErrors(errors: Findings, schema: Structural, value: JsonValue, path: string): void {
  if (!schema.hasDistinctItems) return;
  if (isJsonObject(value)) {
    for (const [name, part] of Object.entries(value)) {
      const inner = schemaOfKey(schema, name);
      if (inner !== undefined)
        addListErrors(errors, inner, part, (schema.properties.has(name) ? child : key)(path, name));
    }
    return;
  }
  if (!Array.isArray(value)) return;
  addRepetitions(errors, schema, value, path);
  const { items } = schema;
  if (items === undefined) return;
  for (const [i, item] of value.entries()) addListErrors(errors, items, item, index(path, i));
}

function addRepetitions(
  errors: Findings,
  { listType, mapKeys, items }: Structural,
  list: readonly JsonValue[],
  path: string,
): void {
  if (listType !== "set" && listType !== "map") return;
  if (listType === "map") {
    const at = list.findIndex((item) => item !== null && !isJsonObject(item));
    if (at !== -1) {
      const detail = "must be an object for an array of list-type map";
      errors.push(fieldInvalid(index(path, at), list[at] ?? null, detail));
      return;
    }
  }
  const seen = new Set<string>();
  const reported = new Set<string>();
  for (const [i, item] of list.entries()) {
    const identity = listType === "set" ? item : keysOf(item, mapKeys, items);
    const text = goJson(inOrder(identity));
    // Upstream reports each repeated value once.
    if (seen.has(text) && !reported.has(text)) {
      reported.add(text);
      errors.push(fieldDuplicate(index(path, i), identity));
    }
    seen.add(text);
  }
}

/** The keys of an item of a map list. An item that is null has none. */
function keysOf(item: JsonValue, keys: readonly string[], items: Structural | undefined): JsonObject {
  if (!isJsonObject(item)) return {};
  const own: MutableJsonObject = {};
  for (const name of keys) {
    const value = getKey(item, name) ?? items?.properties.get(name)?.default;
    if (value !== undefined) setKey(own, name, value);
  }
  return own;
}

/** The value with sorted keys, so that equal values have equal texts. */
function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const sorted: MutableJsonObject = {};
  for (const name of sortedKeys(value)) setKey(sorted, name, inOrder(value[name] ?? null));
  return sorted;
}
