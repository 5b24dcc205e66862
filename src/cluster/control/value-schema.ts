import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { unknownName } from "../../apimachinery/option-checks.ts";
import type { QueryParameters } from "../../request/query-parameters.ts";

/**
 * The schema of a value, as the OpenAPI document shows it. It is not an `OptionType`, whose check is a function that no document can
 * show, and the values are JSON only.
 */
export interface ValueSchema {
  /** Several types: any of them. */
  readonly type: SchemaType | readonly SchemaType[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: "string" };
  readonly minimum?: number;
  readonly maximum?: number;
}

type SchemaType = "string" | "integer" | "boolean" | "array" | "object";

/** The schemas of members by name. */
export type Properties = Readonly<Record<string, ValueSchema>>;

/** The schema of an object without other members. */
export interface ObjectSchema {
  readonly properties: Properties;
  readonly required?: readonly string[];
}

/** @throws {TypeError} for an unknown member, a missing member or a wrong value */
export function checkMembers(object: JsonObject, { properties, required = [] }: ObjectSchema): void {
  for (const [name, value] of Object.entries(object)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) throw unknownName("unknown member", name, Object.keys(properties));
    if (!accepts(schema, value))
      throw new TypeError(`${name} must be ${acceptedBy(schema)}, not ${JSON.stringify(value)}`);
  }
  const missing = required.find((name) => !Object.hasOwn(object, name));
  if (missing !== undefined) throw new TypeError(`the member ${missing} is missing`);
}

/** @throws {TypeError} for an unknown parameter, and for several values of one that is not an array */
export function checkQuery(query: QueryParameters, properties: Properties): void {
  for (const name of new Set(query.keys())) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) throw unknownName("unknown parameter", name, Object.keys(properties));
    const values = query.getAll(name);
    if (values.length > 1 && schema.type !== "array")
      throw new TypeError(`the parameter ${name} is given ${values.length} times`);
  }
}

function accepts(schema: ValueSchema, value: JsonValue): boolean {
  return typesOf(schema).some((type) => isOfType(type, schema, value));
}

function isOfType(type: SchemaType, schema: ValueSchema, value: JsonValue): boolean {
  switch (type) {
    case "string":
      return typeof value === "string" && (schema.enum === undefined || schema.enum.includes(value));
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "object":
      return isJsonObject(value);
    case "integer": {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
      return Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    }
  }
}

function acceptedBy(schema: ValueSchema): string {
  return typesOf(schema)
    .map((type) => named(type, schema))
    .join(", or ");
}

function named(type: SchemaType, { enum: values, minimum, maximum }: ValueSchema): string {
  switch (type) {
    case "string":
      return values === undefined ? "text" : values.map((value) => JSON.stringify(value)).join(" or ");
    case "boolean":
      return "true or false";
    case "array":
      return "a list of texts";
    case "object":
      return "an object";
    case "integer":
      return `a whole number${minimum === undefined ? "" : ` from ${minimum} to ${maximum}`}`;
  }
}

function typesOf({ type }: ValueSchema): readonly SchemaType[] {
  return typeof type === "string" ? [type] : type;
}
