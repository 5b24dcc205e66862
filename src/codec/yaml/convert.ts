import { DecodeError } from "../../apimachinery/decode-error.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { goFloat } from "../../apimachinery/go/go-value.ts";
import { NumberLiteral, type ParsedJson } from "../../apimachinery/go/parsed-json.ts";
import { type JsonObject, type JsonValue, type MutableJsonObject, setKey } from "../../apimachinery/json.ts";
import { compareText } from "../../apimachinery/text-order.ts";
import { MAX_DEPTH } from "../json/go-json-error.ts";
import type { YamlAlias, YamlMapping, YamlNode, YamlScalar } from "./node.ts";
import { Float, type Resolved, resolvePlain, resolveTagged } from "./resolve.ts";

/** Go's mappings have keys of any scalar type: `1` and `"1"` are different keys. */
type Mapping = Map<string, { readonly key: Resolved; readonly value: YamlValue }>;
type YamlValue = Resolved | YamlValue[] | Mapping;

/** Between these sizes of a document, the allowed share of aliased nodes falls from 99 % to 10 %. */
const ALIAS_RATIO_LOW = 400_000;
const ALIAS_RATIO_HIGH = 4_000_000;

const MERGE_TAG = "tag:yaml.org,2002:merge";

/** A document as JSON, and its duplicate keys. */
export interface Converted {
  readonly value: ParsedJson;
  /** `line 7: key "a" already set in map`. */
  readonly duplicates: readonly string[];
}

/**
 * Converts a document to JSON: keys become sorted text, aliases become their values.
 * @throws {DecodeError} with the text of Go's decoders
 */
export function convert(root: YamlNode): Converted {
  const decoder = new Decoder();
  const value = decoder.value(root, 1);
  return { value: toJson(value), duplicates: decoder.duplicates };
}

class Decoder {
  readonly duplicates: string[] = [];
  readonly #openAliases = new Set<YamlAlias>();
  /** Starts at 1 for the document itself. */
  #decoded = 1;
  #decodedByAlias = 0;

  value(node: YamlNode, depth: number): YamlValue {
    this.#count(depth);
    switch (node.kind) {
      case "scalar":
        return scalarValue(node);
      case "sequence":
        return node.items.map((item) => this.value(item, depth + 1));
      case "mapping": {
        const mapping: Mapping = new Map();
        this.#fill(mapping, node, depth);
        return mapping;
      }
      case "alias":
        return this.#throughAlias(node, () => this.value(node.target, depth));
    }
  }

  #count(depth: number): void {
    if (depth > MAX_DEPTH) throw new DecodeError(`yaml: exceeded max depth of ${MAX_DEPTH}`);
    this.#decoded++;
    if (this.#openAliases.size > 0) this.#decodedByAlias++;
    if (this.#decodedByAlias <= 100 || this.#decoded <= 1000) return;
    if (this.#decodedByAlias / this.#decoded > allowedAliasRatio(this.#decoded)) {
      throw new DecodeError("yaml: document contains excessive aliasing");
    }
  }

  #throughAlias<T>(alias: YamlAlias, decode: () => T): T {
    if (this.#openAliases.has(alias)) {
      throw new DecodeError(`yaml: anchor '${alias.name}' value contains itself`);
    }
    this.#openAliases.add(alias);
    const value = decode();
    this.#openAliases.delete(alias);
    return value;
  }

  #fill(mapping: Mapping, { entries }: YamlMapping, depth: number): void {
    for (const [keyNode, valueNode] of entries) {
      if (isMerge(keyNode)) {
        this.#merge(mapping, valueNode, depth);
        continue;
      }
      const key = this.value(keyNode, depth + 1);
      if (Array.isArray(key) || key instanceof Map) {
        throw new DecodeError(`yaml: invalid map key: ${shown(key)}`);
      }
      const value = this.value(valueNode, depth + 1);
      const id = keyId(key);
      if (mapping.has(id) && id !== NOT_A_NUMBER) {
        this.duplicates.push(`line ${valueNode.line + 1}: key ${shown(key)} already set in map`);
      }
      mapping.set(id, { key, value });
    }
  }

  /** Merged keys replace earlier keys of the mapping. Of several merged mappings, the first wins. */
  #merge(mapping: Mapping, node: YamlNode, depth: number): void {
    const sources = node.kind === "sequence" ? node.items.toReversed() : [node];
    for (const source of sources) {
      const target = source.kind === "alias" ? source.target : source;
      if (target.kind !== "mapping") {
        throw new DecodeError("yaml: map merge requires map or sequence of maps as the value");
      }
      this.#count(depth);
      if (source.kind !== "alias") {
        this.#fill(mapping, target, depth);
        continue;
      }
      this.#throughAlias(source, () => {
        this.#count(depth);
        this.#fill(mapping, target, depth);
      });
    }
  }
}

function allowedAliasRatio(decoded: number): number {
  if (decoded <= ALIAS_RATIO_LOW) return 0.99;
  if (decoded >= ALIAS_RATIO_HIGH) return 0.1;
  return 0.99 - 0.89 * ((decoded - ALIAS_RATIO_LOW) / (ALIAS_RATIO_HIGH - ALIAS_RATIO_LOW));
}

function isMerge(node: YamlNode): boolean {
  return node.kind === "scalar" && node.value === "<<" && (node.isImplicit || node.tag === MERGE_TAG);
}

function scalarValue({ value, tag, isImplicit }: YamlScalar): Resolved {
  if (tag !== "") return resolveTagged(tag, value);
  return isImplicit ? resolvePlain(value) : value;
}

const NOT_A_NUMBER = "float NaN";

/** Identifies a key by its type and value, as a Go map does. */
function keyId(key: Resolved): string {
  if (key instanceof Float) return `float ${key.value}`;
  return `${typeof key} ${key instanceof NumberLiteral ? key.text : String(key)}`;
}

function toJson(value: YamlValue): ParsedJson {
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Map) return mappingToJson(value);
  if (!(value instanceof Float)) return value;
  if (Number.isFinite(value.value)) return value.value;
  throw new DecodeError(`json: unsupported value: ${goFloat(value.value)}`);
}

function mappingToJson(mapping: Mapping): ParsedJson {
  const entries = [...mapping.values()].map(({ key, value }) => [keyText(key, value), value] as const);
  const object: MutableJsonObject = {};
  for (const [key, value] of entries.sort(([a], [b]) => compareText(a, b))) {
    // setKey only looks at the key, so the cast is safe.
    setKey(object, key, toJson(value) as JsonValue);
  }
  return object as JsonObject;
}

function keyText(key: Resolved, value: YamlValue): string {
  if (key === null || key instanceof NumberLiteral) throw unsupportedKey(key, value);
  return key instanceof Float ? floatKey(key.value) : String(key);
}

function unsupportedKey(key: null | NumberLiteral, value: YamlValue): DecodeError {
  const type = key === null ? "%!s(<nil>)" : "uint64";
  const message = `unsupported map key of type: ${type}, key: ${shown(key)}, value: ${shown(value)}`;
  return new DecodeError(message);
}

/** A float key is rounded to 32 bits, as upstream prints it. */
function floatKey(key: number): string {
  if (Number.isNaN(key)) return ".nan";
  const float = Math.fround(key);
  if (!Number.isFinite(float)) return float > 0 ? ".inf" : "-.inf";
  if (float === 0) return goFloat(float);
  for (let precision = 1; precision <= 9; precision++) {
    const shorter = roundedToEven(float, precision);
    if (Math.fround(shorter) === float) return goFloat(shorter);
  }
  return goFloat(float);
}

/** Rounds to the precision, and halves to even; `toPrecision` rounds halves up. */
function roundedToEven(value: number, precision: number): number {
  const longer = value.toExponential(precision);
  const even = /^(.*[02468]\.?)5(e.*)$/.exec(longer);
  if (even !== null && Number(longer) === value) return Number(`${even[1]}${even[2]}`);
  return Number(value.toPrecision(precision));
}

/** A value as Go's `%#v` prints it at the top level. */
function shown(value: YamlValue): string {
  return value === null ? "<nil>" : goSyntax(value);
}

/** A value as Go's `%#v` prints it inside another value. */
function goSyntax(value: YamlValue): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return goQuote(value);
  if (value instanceof Float) return goFloat(value.value);
  if (value instanceof NumberLiteral) return `0x${BigInt(value.text).toString(16)}`;
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!(value instanceof Map)) return String(value);
  const members = [...value.values()]
    .sort((a, b) => compareKeys(a.key, b.key))
    .map((entry) => `${goSyntax(entry.key)}:${goSyntax(entry.value)}`);
  return `map[interface {}]interface {}{${members.join(", ")}}`;
}

/** The order in which Go prints the keys of a map: by type name, then by value. */
function compareKeys(a: Resolved, b: Resolved): number {
  return typeRank(a) - typeRank(b) || compareValues(a, b);
}

function typeRank(key: Resolved): number {
  if (key === null) return 0;
  if (typeof key === "boolean") return 1;
  if (key instanceof Float) return 2;
  if (key instanceof NumberLiteral) return 5;
  return typeof key === "string" ? 4 : 3;
}

/** Compares two keys of the same type. */
function compareValues(a: Resolved, b: Resolved): number {
  if (typeof a === "string") return compareText(a, String(b));
  const [left, right] = [comparable(a), comparable(b)];
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
  return left < right ? -1 : Number(left > right);
}

function comparable(key: Resolved): number | bigint {
  if (key instanceof Float) return key.value;
  if (key instanceof NumberLiteral) return BigInt(key.text);
  return typeof key === "bigint" ? key : Number(key);
}
