import { base64Of } from "../../apimachinery/base64.ts";
import { type JsonValue, type MutableJsonObject, setKey } from "../../apimachinery/json.ts";
import { entryOf, isList, isMap, keysOf } from "./containers.ts";
import { doubleValue, Uint } from "./numbers.ts";
import { formatDurationSeconds, showValue } from "./show.ts";
import { Duration, Timestamp } from "./times.ts";
import { formatTimestamp } from "./timestamp-text.ts";
import { type CelValue, Optional } from "./value.ts";

/**
 * A value as JSON: bytes in base64, times as text, doubles that JSON cannot write as text, none as null, types and
 * values of libraries by what `string` shows.
 */
export function toJsonValue(value: CelValue): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return value;
  if (value instanceof Uint)
    return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : value.value;
  const double = doubleValue(value);
  if (double !== undefined) return Number.isFinite(double) ? double : String(double);
  if (typeof value === "number") return value;
  if (value instanceof Uint8Array) return base64Of(value);
  if (value instanceof Duration) return formatDurationSeconds(value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Optional) return value.value === undefined ? null : toJsonValue(value.value);
  if (isList(value)) return value.map(toJsonValue);
  if (!isMap(value)) return showValue(value);
  const object: MutableJsonObject = {};
  for (const key of keysOf(value)) setKey(object, showValue(key), toJsonValue(entryOf(value, key) ?? null));
  return object;
}
