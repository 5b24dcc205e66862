import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { unescapeFieldName } from "../../cel/schema/field-names.ts";
import { double } from "../../cel/values/numbers.ts";
import { type CelValue, MapValue } from "../../cel/values/value.ts";

/**
 * The value of the variable `claims`. Since 1.34, all numbers are doubles, and an expression may write keys with the escapes
 * of field names: `claims.kubernetes__dot__io`.
 */
export function claimsValue(claims: JsonObject, { since }: FeatureGates): CelValue {
  // Before, they are plain JSON, whose bigints and numbers are ints.
  return since("1.34") ? escapedValue(claims) : (claims as CelValue);
}

function escapedValue(value: JsonValue): CelValue {
  if (typeof value === "number" || typeof value === "bigint") return double(Number(value));
  if (Array.isArray(value)) return value.map(escapedValue);
  if (!isJsonObject(value)) return value;
  const map = new EscapedMap();
  for (const [key, item] of Object.entries(value)) map.set(key, escapedValue(item));
  return map;
}

/** A map whose keys may be written with the escapes of field names. */
class EscapedMap extends MapValue {
  override get(key: CelValue): CelValue | undefined {
    return super.get(typeof key === "string" ? (unescapeFieldName(key) ?? key) : key);
  }
}
