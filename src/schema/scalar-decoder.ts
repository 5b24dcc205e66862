import { canonicalBase64 } from "../apimachinery/base64.ts";
import { DecodeError } from "../apimachinery/decode-error.ts";
import { canonicalDuration } from "../apimachinery/duration.ts";
import {
  integerOf,
  isPlainJson,
  NumberLiteral,
  type ParsedJson,
  plainJson,
} from "../apimachinery/go/parsed-json.ts";
import type { JsonValue } from "../apimachinery/json.ts";
import { canonicalQuantity } from "../apimachinery/quantity.ts";
import { canonicalMicroTime, canonicalTime } from "../apimachinery/time.ts";
import type { ScalarType } from "../catalog/type-schema.ts";
import { type DecodeState, jsonKind } from "./decode-state.ts";

/** Decodes a value to its canonical JSON form; undefined if it is unset or invalid. */
export type Decode = (value: ParsedJson, state: DecodeState) => JsonValue | undefined;

/** The decoder of a scalar of a Go type. It is not called with null. */
export function scalarDecoder(scalar: ScalarType, goType: () => string): Decode {
  switch (scalar) {
    case "string":
      return (value, state) => ofType("string", value, state, goType);
    case "bool":
      return (value, state) => ofType("boolean", value, state, goType);
    case "int32":
      return integerDecoder(-(2n ** 31n), 2n ** 31n - 1n, goType);
    case "int64":
      return integerDecoder(-(2n ** 63n), 2n ** 63n - 1n, goType);
    case "uint32":
      return integerDecoder(0n, 2n ** 32n - 1n, goType);
    case "uint64":
      return integerDecoder(0n, 2n ** 64n - 1n, goType);
    case "double":
    case "float":
      return (value, state) => decodeFloat(value, state, goType);
    case "bytes":
      return (value, state) => decodeBytes(value, state, goType);
    case "time":
      return (value, state) => readText(value, state, canonicalTime);
    case "microtime":
      return (value, state) => readText(value, state, canonicalMicroTime);
    case "duration":
      return (value, state) => readText(value, state, canonicalDuration);
    case "quantity":
      return decodeQuantity;
    case "intOrString":
      return decodeIntOrString;
    case "rawExtension":
    case "json":
    case "fieldsV1":
    case "unknown":
      return (value) => (isPlainJson(value) ? value : plainJson(value));
  }
}

function ofType(
  type: "string" | "boolean",
  value: ParsedJson,
  state: DecodeState,
  goType: () => string,
): string | boolean | undefined {
  if (typeof value === type) return value as string | boolean;
  state.mismatch(value, goType());
  return undefined;
}

function integerDecoder(least: bigint, most: bigint, goType: () => string): Decode {
  const [smallest, largest] = [Number(least), Number(most)];
  return (value, state) => {
    // The 64-bit limits are not safe integers, but any integer near them is a bigint.
    if (Number.isSafeInteger(value) && smallest <= (value as number) && (value as number) <= largest) {
      return (value as number) + 0;
    }
    const text = numberText(value);
    if (text === undefined) {
      state.mismatch(value, goType());
      return undefined;
    }
    // Longer than any int64, so there is no need to parse it.
    const integer = text.length <= 20 && /^-?\d+$/.test(text) ? BigInt(text) : undefined;
    if (integer !== undefined && integer >= least && integer <= most) return integerOf(integer);
    state.save(state.typeMismatch(`number ${text}`, goType()));
    return undefined;
  };
}

/** The text of a number, if it is known. */
function numberText(value: ParsedJson): string | undefined {
  if (value instanceof NumberLiteral) return value.text;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "number") return undefined;
  return String(value);
}

function decodeFloat(value: ParsedJson, state: DecodeState, goType: () => string): number | undefined {
  if (typeof value === "number") return value;
  const text = numberText(value);
  if (text === undefined) {
    state.mismatch(value, goType());
    return undefined;
  }
  const float = Number(text);
  if (Number.isFinite(float)) return float;
  state.save(state.typeMismatch(`number ${text}`, goType()));
  return undefined;
}

function decodeBytes(value: ParsedJson, state: DecodeState, goType: () => string): string | undefined {
  if (typeof value === "string") {
    try {
      return canonicalBase64(value);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      state.save(error);
      return undefined;
    }
  }
  if (!Array.isArray(value)) {
    state.mismatch(value, goType());
    return undefined;
  }
  // Go also accepts bytes as a list of numbers.
  const decodeByte = integerDecoder(0n, 255n, () => "uint8");
  let characters = "";
  for (const item of value) {
    characters += String.fromCharCode(item === null ? 0 : Number(decodeByte(item, state) ?? 0));
  }
  return btoa(characters);
}

/** Decodes a string with a parser whose errors end the decode. Null is Go's zero time. */
function readText(
  value: ParsedJson,
  state: DecodeState,
  read: (text: string) => string | null,
): string | undefined {
  if (typeof value !== "string") throw state.typeMismatch(jsonKind(value), "string");
  return read(value) ?? undefined;
}

/** Numbers are parsed like strings; any other value fails like an invalid quantity. */
function decodeQuantity(value: ParsedJson, state: DecodeState): string {
  const text = typeof value === "string" ? value.trim() : (numberText(value) ?? jsonKind(value));
  const canonical = canonicalQuantity(text);
  if (canonical !== text) state.recordQuantity(text);
  return canonical;
}

function decodeIntOrString(value: ParsedJson, state: DecodeState): string | number {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31)
    return value + 0;
  const text = numberText(value);
  throw state.typeMismatch(text === undefined ? jsonKind(value) : `number ${text}`, "int32");
}
