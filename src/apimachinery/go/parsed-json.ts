import { DecodeError } from "../decode-error.ts";
import { type JsonValue, type MutableJsonObject, setKey } from "../json.ts";
import { goQuote } from "./go-quote.ts";

/**
 * A number whose text matters: Go does not read `1.0` and `1e3` as integers, `1e400` is out of range, and an integer
 * beyond int64 fits some fields only.
 */
export class NumberLiteral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object with a repeated key. The entries are in the order sent. */
export class DuplicateKeys {
  readonly entries: readonly (readonly [key: string, value: ParsedJson])[];

  constructor(entries: readonly (readonly [key: string, value: ParsedJson])[]) {
    this.entries = entries;
  }
}

/** JSON as it was sent: a `JsonValue` except for number literals and repeated keys. */
export type ParsedJson =
  | string
  | number
  | bigint
  | boolean
  | null
  | NumberLiteral
  | DuplicateKeys
  | readonly ParsedJson[]
  | { readonly [key: string]: ParsedJson };

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** Upstream reports at most this many errors of strict decoding. */
const MAX_STRICT_ERRORS = 100;

/** Collects the errors of strict decoding in order, without duplicates and up to a limit. */
export class StrictErrors {
  readonly #texts = new Set<string>();

  /** Whether further errors are dropped. */
  get isFull(): boolean {
    return this.#texts.size >= MAX_STRICT_ERRORS;
  }

  add(what: "unknown field" | "duplicate field", path: string): void {
    if (!this.isFull) this.#texts.add(`${what} ${goQuote(path)}`);
  }

  list(): string[] {
    return [...this.#texts];
  }
}

/** An integer: a number where that is exact, otherwise a bigint. */
export function integerOf(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Decodes as Go does without a type: integers up to int64 exactly, other numbers as float64, and the last value of a
 * repeated key.
 * @throws {DecodeError} for a number out of range of float64
 */
export function plainJson(
  value: ParsedJson,
  strictErrors: StrictErrors = new StrictErrors(),
  path = "",
): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof NumberLiteral) return plainNumber(value);
  if (Array.isArray(value)) {
    return value.map((item: ParsedJson, i) => plainJson(item, strictErrors, `${path}[${i}]`));
  }
  const entries = value instanceof DuplicateKeys ? value.entries : Object.entries(value);
  const object: MutableJsonObject = {};
  for (const [key, item] of entries) {
    const at = path === "" ? key : `${path}.${key}`;
    if (Object.hasOwn(object, key)) strictErrors.add("duplicate field", at);
    setKey(object, key, plainJson(item, strictErrors, at));
  }
  return object;
}

function plainNumber(literal: NumberLiteral): number | bigint {
  const { text } = literal;
  // A longer text exceeds int64 in any case.
  if (text.length <= 20 && /^-?\d+$/.test(text)) {
    const integer = BigInt(text);
    if (integer >= INT64_MIN && integer <= INT64_MAX) return integerOf(integer);
  }
  const float = Number(text);
  if (Number.isFinite(float)) return float;
  throw new DecodeError(`json: cannot unmarshal number ${text} into Go value of type float64`);
}

/** Whether the value is a `JsonValue`. */
export function isPlainJson(value: ParsedJson): value is ParsedJson & JsonValue {
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof NumberLiteral || value instanceof DuplicateKeys) return false;
  // Only parts of stored objects are frozen.
  if (Object.isFrozen(value)) return true;
  if (Array.isArray(value)) return value.every(isPlainJson);
  for (const key in value) {
    // Objects of parsed JSON have only own enumerable keys.
    const member = (value as { readonly [key: string]: ParsedJson })[key] ?? null;
    // Most members are scalars, which need no call.
    if (typeof member === "object" && !isPlainJson(member)) return false;
  }
  return true;
}
