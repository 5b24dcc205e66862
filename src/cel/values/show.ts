import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { goFloat } from "../../apimachinery/go/go-value.ts";
import { entryOf, isList, isMap, keysOf } from "./containers.ts";
import { formatDecimal } from "./go-float.ts";
import { doubleValue, Uint } from "./numbers.ts";
import { OpaqueValue } from "./opaque-value.ts";
import { Duration, Timestamp } from "./times.ts";
import { formatTimestamp } from "./timestamp-text.ts";
import { type CelValue, Optional, TypeValue } from "./value.ts";

/** A value in the messages of errors, as Go's %v shows it: `no such key: b`. */
export function showValue(value: CelValue): string {
  if (typeof value === "string") return value;
  if (value === null) return "null";
  if (value instanceof Uint) return String(value.value);
  const double = doubleValue(value);
  if (double !== undefined) return goFloat(double);
  if (value instanceof Uint8Array) return `[${Array.from(value).join(" ")}]`;
  if (value instanceof Duration) return formatDurationSeconds(value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (isList(value)) return `[${value.map(showItem).join(", ")}]`;
  if (value instanceof TypeValue) return value.type.name;
  if (value instanceof Optional)
    return value.value === undefined ? "optional.none()" : `optional(${showValue(value.value)})`;
  if (value instanceof OpaqueValue) return value.toString();
  if (isMap(value)) {
    return `{${keysOf(value)
      .map((key) => `${showItem(key)}: ${showItem(entryOf(value, key) ?? null)}`)
      .join(", ")}}`;
  }
  return String(value);
}

/** The seconds of a duration: `5400s`, `1.5s`. */
export function formatDurationSeconds({ nanoseconds }: Duration): string {
  const seconds = Number(nanoseconds / 1_000_000_000n) + Number(nanoseconds % 1_000_000_000n) / 1e9;
  return `${formatDecimal(seconds)}s`;
}

function showItem(value: CelValue): string {
  return typeof value === "string" ? goQuote(value) : showValue(value);
}
