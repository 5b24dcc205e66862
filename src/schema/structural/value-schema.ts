import { RE2JS } from "re2js";
import { getKey, isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { isKnownFormat } from "./value-formats.ts";

/** The schemas that a value must match besides its own. */
export interface Combinations {
  readonly anyOf: readonly ValueSchema[];
  readonly oneOf: readonly ValueSchema[];
  readonly allOf: readonly ValueSchema[];
  readonly not: ValueSchema | undefined;
}

/**
 * An OpenAPI schema as the validation of values reads it. Schemas below it are read when a value first needs them: objects
 * use few of the fields of a large schema.
 */
export class ValueSchema {
  readonly source: JsonObject;
  /** The JSON types that values may have; none if the schema does not say. */
  readonly types: readonly string[];
  readonly isNullable: boolean;
  /** The values that an enum lists; none if there is no enum. */
  readonly allowed: readonly JsonValue[];
  readonly required: readonly string[];
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly multipleOf: number | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly isMinimumExclusive: boolean;
  readonly isMaximumExclusive: boolean;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  /** Empty without a pattern. */
  readonly pattern: string;
  /** Empty without a format that validation knows. */
  readonly format: string;
  /** The property schemas as they are declared. */
  readonly declared: JsonObject;
  /** Whether keys that are not properties are allowed, if their values have no schema. */
  readonly allowsOthers: boolean;
  /** What `anyOf`, `oneOf`, `allOf` and `not` say; undefined if the schema has none of them. */
  readonly combinations: Combinations | undefined;
  readonly #known = new Map<string, ValueSchema>();
  #order: ReadonlyMap<string, number> | undefined;
  #items: ValueSchema | undefined;
  #others: ValueSchema | undefined;
  #compiled: RE2JS | "invalid" | undefined;

  constructor(source: JsonObject) {
    this.source = source;
    this.types = typesOf(source);
    this.isNullable = source["nullable"] === true;
    this.allowed = listOf(source["enum"]);
    this.required = listOf(source["required"]).map(String);
    this.minLength = numberOf(source, "minLength");
    this.maxLength = numberOf(source, "maxLength");
    this.multipleOf = numberOf(source, "multipleOf");
    this.minimum = numberOf(source, "minimum");
    this.maximum = numberOf(source, "maximum");
    this.isMinimumExclusive = source["exclusiveMinimum"] === true;
    this.isMaximumExclusive = source["exclusiveMaximum"] === true;
    this.minItems = numberOf(source, "minItems");
    this.maxItems = numberOf(source, "maxItems");
    this.minProperties = numberOf(source, "minProperties");
    this.maxProperties = numberOf(source, "maxProperties");
    this.pattern = textOf(source["pattern"]);
    const format = textOf(source["format"]);
    this.format = isKnownFormat(format) ? format : "";
    this.declared = isJsonObject(source["properties"]) ? source["properties"] : noProperties;
    this.allowsOthers = source["additionalProperties"] !== false;
    this.combinations = combinationsOf(source);
  }

  /** The schema of the items of a list. */
  get items(): ValueSchema | undefined {
    const { items } = this.source;
    if (this.#items === undefined && isJsonObject(items)) this.#items = new ValueSchema(items);
    return this.#items;
  }

  /** The schema of the values of keys that are not properties. */
  get others(): ValueSchema | undefined {
    const { additionalProperties: others } = this.source;
    if (this.#others === undefined && isJsonObject(others)) this.#others = new ValueSchema(others);
    return this.#others;
  }

  /** The place of each property in the schema, which has at least two. */
  get order(): ReadonlyMap<string, number> {
    this.#order ??= new Map(Object.keys(this.declared).map((key, place) => [key, place]));
    return this.#order;
  }

  /** The schema of a property; undefined for other keys. */
  property(key: string): ValueSchema | undefined {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const source = getKey(this.declared, key);
    if (!isJsonObject(source)) return undefined;
    const property = new ValueSchema(source);
    this.#known.set(key, property);
    return property;
  }

  /** Whether a text matches the pattern. A pattern that is no regular expression matches nothing. */
  matches(text: string): boolean {
    this.#compiled ??= compiled(this.pattern);
    return this.#compiled !== "invalid" && this.#compiled.matcher(text).find();
  }
}

const noProperties: JsonObject = Object.freeze({});
const nothing: readonly JsonValue[] = [];

function combinationsOf({ anyOf, oneOf, allOf, not }: JsonObject): Combinations | undefined {
  if ((anyOf ?? oneOf ?? allOf ?? not) === undefined) return undefined;
  const schemasOf = (list: JsonValue | undefined) =>
    listOf(list)
      .filter(isJsonObject)
      .map((source) => new ValueSchema(source));
  return {
    anyOf: schemasOf(anyOf),
    oneOf: schemasOf(oneOf),
    allOf: schemasOf(allOf),
    not: isJsonObject(not) ? new ValueSchema(not) : undefined,
  };
}

function typesOf(source: JsonObject): readonly string[] {
  if (source["x-kubernetes-int-or-string"] === true) return ["integer", "string"];
  const type = textOf(source["type"]);
  return type === "" ? [] : [type];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : nothing;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function numberOf(source: JsonObject, name: string): number | undefined {
  const value = source[name];
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}

function compiled(pattern: string): RE2JS | "invalid" {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return "invalid";
  }
}
