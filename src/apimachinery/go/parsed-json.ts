import { DecodeError } from "../decode-error.ts";
import { type JsonValue, type MutableJsonObject, setKey } from "../json.ts";
import { goQuote } from "./go-quote.ts";

/**
 * A number whose text tells more than its value: `1.0` and `1e3` are no integers to Go, `1e400` is no number at all,
 * and an integer beyond int64 is in range for some fields only.
 */
export class NumberLiteral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An object in which a key stands more than once. The entries are in the order sent. */
export class DuplicateKeys {
  readonly entries: readonly (readonly [key: string, value: ParsedJson])[];

  constructor(entries: readonly (readonly [key: string, value: ParsedJson])[]) {
    this.entries = entries;
  }
}

/** JSON as it was sent: a `JsonValue`, but for literals and repeated keys, which a `JsonValue` cannot show. */
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

/** Findings of strict decoding are kept up to this number, as upstream does. */
const MAX_STRICT_ERRORS = 100;

/** Collects the findings of strict decoding in the order met: each text once, and not without end. */
export class StrictErrors {
  readonly #texts = new Set<string>();

  /** Whether nothing that is added is kept any more. */
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

/** An integer as the server holds it: a number where that is exact, a bigint elsewhere. */
export function integerOf(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * What Go decodes without a type: integers up to int64 exactly, other numbers as float64, the last of repeated keys.
 * @throws {DecodeError} for a number that no float64 comes near
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
  // Longer than any int64, so not worth the work of reading it.
  if (text.length <= 20 && /^-?\d+$/.test(text)) {
    const integer = BigInt(text);
    if (integer >= INT64_MIN && integer <= INT64_MAX) return integerOf(integer);
  }
  const float = Number(text);
  if (Number.isFinite(float)) return float;
  throw new DecodeError(`json: cannot unmarshal number ${text} into Go value of type float64`);
}

/** Whether the value is a `JsonValue` already. */
export function isPlainJson(value: ParsedJson): value is JsonValue {
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof NumberLiteral || value instanceof DuplicateKeys) return false;
  if (Array.isArray(value)) return value.every(isPlainJson);
  for (const key in value) {
    // An own key, since objects of parsed JSON have no other enumerable ones.
    if (!isPlainJson((value as { readonly [key: string]: ParsedJson })[key] as ParsedJson)) return false;
  }
  return true;
}
