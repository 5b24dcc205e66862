import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonCopy,
  setKey,
  shallowCopy,
} from "../../apimachinery/json.ts";
import { type Structural, schemaOfKey } from "./structural-schema.ts";

/**
 * The object with the defaults of its schema for missing keys, and for null where the schema does not allow it. The same
 * object if nothing is missing; parts that stay as they are are shared. Upstream:
 * pkg/apiserver/schema/defaulting/algorithm.go.
 */
export function withDefaults<T extends JsonObject>(object: T, schema: Structural): T {
  if (!schema.hasDefaults) return object;
  let result: T | undefined;
  const set = (key: string, value: JsonValue) => {
    result ??= shallowCopy(object);
    setKey(result, key, value);
  };
  for (const [key, { default: own, nullable }] of schema.defaulted) {
    if (own === undefined) continue;
    const isMissing = !Object.hasOwn(object, key) || (object[key] === null && !nullable);
    if (isMissing) set(key, jsonCopy(own));
  }
  for (const [key, value] of Object.entries(result ?? object)) {
    const part = schemaOfKey(schema, key);
    if (part === undefined) continue;
    const defaulted = defaultedPart(value, part);
    if (defaulted !== value) set(key, defaulted);
  }
  return result ?? object;
}

function defaultedPart(value: JsonValue, schema: Structural): JsonValue {
  if (!schema.hasDefaults) return value;
  if (value === null)
    return schema.nullable || schema.default === undefined ? null : jsonCopy(schema.default);
  if (isJsonObject(value)) return withDefaults(value, schema);
  const { items } = schema;
  if (!Array.isArray(value) || items === undefined) return value;
  let isSame = true;
  const list = value.map((item: JsonValue) => {
    const defaulted = defaultedPart(item, items);
    isSame &&= defaulted === item;
    return defaulted;
  });
  return isSame ? value : list;
}
