import { isJsonObject, type JsonObject, type JsonValue, setKey } from "../apimachinery/json.ts";
import { parseQuantity } from "../apimachinery/quantity.ts";
import type { Schema, StructSchema } from "../catalog/type-schema.ts";

/**
 * `old` with the spelling of equal quantities in `now`, so that `1Gi` becomes `1073741824`. A comparison of the result
 * with `now` finds only real changes, like upstream's semantic equality. Everything else is shared with `old`; without
 * respelled quantities, the result is `old`.
 */
export function withEqualQuantities<T extends JsonObject>(schema: StructSchema, old: T, now: JsonObject): T {
  // Replaced values keep their type, and no field is added.
  return structLike(schema, old, now) as T;
}

function valueLike(schema: Schema, old: JsonValue, now: JsonValue | undefined): JsonValue {
  if (old === now || now === undefined) return old;
  switch (schema.type) {
    case "scalar":
      return isSameAmount(old, now) ? now : old;
    case "struct":
      return isJsonObject(old) && isJsonObject(now) ? structLike(schema, old, now) : old;
    case "list":
      return Array.isArray(old) && Array.isArray(now) ? listLike(schema.items, old, now) : old;
    case "map":
      return isJsonObject(old) && isJsonObject(now) ? mapLike(schema.values, old, now) : old;
    case "either":
      return old;
  }
}

function structLike(schema: StructSchema, old: JsonObject, now: JsonObject): JsonObject {
  let result = old;
  for (const field of schema.compiled(quantityFields)) {
    const value = old[field.name];
    if (value === undefined) continue;
    const like = valueLike(field.schema, value, now[field.name]);
    if (like !== value) result = { ...result, [field.name]: like };
  }
  return result;
}

function mapLike(values: Schema, old: JsonObject, now: JsonObject): JsonObject {
  const result = {};
  let isOther = false;
  for (const [key, value] of Object.entries(old)) {
    const like = valueLike(values, value, Object.hasOwn(now, key) ? now[key] : undefined);
    if (like !== value) isOther = true;
    setKey(result, key, like);
  }
  return isOther ? result : old;
}

function listLike(items: Schema, old: readonly JsonValue[], now: readonly JsonValue[]): readonly JsonValue[] {
  const result = old.map((item, i) => valueLike(items, item, now[i]));
  return result.some((item, i) => item !== old[i]) ? result : old;
}

function isSameAmount(old: JsonValue, now: JsonValue): boolean {
  if (typeof old !== "string" || typeof now !== "string") return false;
  return parseQuantity(old).compare(parseQuantity(now)) === 0;
}

type Fields = StructSchema["fields"];

/** The fields that contain quantities at any depth. */
function quantityFields(schema: StructSchema): Fields {
  return schema.fields.filter((field) => reachesQuantity(field.schema, new Set()));
}

/** Types may be recursive, so each is visited once. */
function reachesQuantity(schema: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  switch (schema.type) {
    case "scalar":
      return schema.scalar === "quantity";
    case "list":
      return reachesQuantity(schema.items, seen);
    case "map":
      return reachesQuantity(schema.values, seen);
    case "struct":
      return schema.fields.some((field) => reachesQuantity(field.schema, seen));
    case "either":
      return false;
  }
}
