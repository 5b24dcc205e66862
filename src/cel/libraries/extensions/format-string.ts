import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { goFloat } from "../../../apimachinery/go/go-value.ts";
import { compareText } from "../../../apimachinery/text-order.ts";
import { type CelError, celError, isError } from "../../values/cel-error.ts";
import { entryOf, isList, isMap, keysOf } from "../../values/containers.ts";
import { formatDecimal } from "../../values/go-float.ts";
import { doubleValue } from "../../values/numbers.ts";
import { formatDurationSeconds, showValue } from "../../values/show.ts";
import { Duration, Timestamp } from "../../values/times.ts";
import { formatTimestamp } from "../../values/timestamp-text.ts";
import { typeOf } from "../../values/type-of.ts";
import { type CelValue, TypeValue } from "../../values/value.ts";
import type { FormatStyle } from "./format-style.ts";

/** `%s` */
export function formatStringClause(value: CelValue, style: FormatStyle): string | CelError {
  if (isList(value) || isMap(value)) return formatContainer(value, style);
  const double = doubleValue(value);
  if (double !== undefined) return style === "plain" ? plainDouble(double) : goFloat(double);
  return formatScalar(value);
}

function formatScalar(value: CelValue): string | CelError {
  if (value instanceof Uint8Array) {
    // Go takes the bytes as they are.
    return new TextDecoder().decode(value);
  }
  if (value instanceof Duration) return formatDurationSeconds(value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof TypeValue || value === null || typeof value !== "object") return showValue(value);
  const { kind } = typeOf(value);
  if (kind === "uint") return showValue(value);
  return celError(
    `string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${typeOf(value).name}`,
  );
}

function formatContainer(value: CelValue, style: FormatStyle): string | CelError {
  if (isList(value)) {
    const items: string[] = [];
    for (const item of value) {
      const text = formatElement(item, style);
      if (isError(text)) return text;
      items.push(text);
    }
    return `[${items.join(", ")}]`;
  }
  if (!isMap(value)) return "";
  const entries: [key: string, value: string][] = [];
  for (const key of keysOf(value)) {
    const name = formatElement(key, style);
    if (isError(name)) return name;
    const text = formatElement(entryOf(value, key) ?? null, style);
    if (isError(text)) return text;
    entries.push([name, text]);
  }
  entries.sort(([a], [b]) => compareText(a, b));
  const colon = style === "plain" ? ": " : ":";
  return `{${entries.map(([key, text]) => `${key}${colon}${text}`).join(", ")}}`;
}

/** An element of a list or a map. The localized style writes it as it would stand in an expression. */
function formatElement(value: CelValue, style: FormatStyle): string | CelError {
  if (style === "plain") return formatStringClause(value, style);
  const double = doubleValue(value);
  if (double !== undefined) return Number.isFinite(double) ? double.toFixed(6) : goQuote(goFloat(double));
  if (value instanceof Duration) return `duration(${goQuote(formatDurationSeconds(value))})`;
  if (value instanceof Timestamp) return `timestamp(${goQuote(formatTimestamp(value))})`;
  const text = formatStringClause(value, style);
  if (isError(text)) return text;
  if (typeof value === "string") return goQuote(text);
  return value instanceof Uint8Array ? `b${goQuote(text)}` : text;
}

function plainDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value < 0 ? "-Infinity" : "Infinity";
  return formatDecimal(value);
}
