import { listAt, objectAt } from "../../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json.ts";
import { rememberedByPart } from "../../../sharing/remembered-by-part.ts";

const lists = ["allOf", "anyOf", "oneOf"];
const maps = ["patternProperties", "definitions"];
const parts = ["items", "not", "additionalProperties", "additionalItems"];

/** The schemas of a definition in the internal version. */
export function schemasOf(spec: JsonObject): readonly JsonObject[] {
  const all = [spec["validation"], ...listAt(spec, "versions").map(({ schema }) => schema)];
  return all.flatMap((one) => (isJsonObject(one) ? [objectAt(one, "openAPIV3Schema") ?? []].flat() : []));
}

const plainKeywords: ReadonlySet<string> = new Set([
  "type",
  "description",
  "title",
  "format",
  "enum",
  "example",
  "externalDocs",
  "maxLength",
  "minLength",
  "maximum",
  "minimum",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "multipleOf",
]);
const scalarTypes: readonly unknown[] = ["string", "integer", "number", "boolean"];

/**
 * Whether a schema below the root says nothing that a rule for schemas could refuse. Most schemas of large definitions are
 * like that, and validation passes them over.
 */
function isPlainScalar(schema: JsonObject): boolean {
  // JSON objects inherit no enumerable keys.
  for (const name in schema) if (!plainKeywords.has(name)) return false;
  return scalarTypes.includes(schema["type"]);
}

type Entry = readonly [name: string, schema: JsonObject];

const noEntries: readonly Entry[] = [];

const entriesOf = rememberedByPart((properties: JsonObject): readonly Entry[] => {
  const entries: Entry[] = [];
  // JSON objects inherit no enumerable keys.
  for (const name in properties) {
    const property = properties[name];
    if (isJsonObject(property) && !isPlainScalar(property)) entries.push([name, property]);
  }
  return entries.length === 0 ? noEntries : entries;
});

/** The properties of a schema but for those that no rule for schemas refuses. */
export function propertiesToCheck({ properties }: JsonObject): readonly Entry[] {
  return isJsonObject(properties) ? entriesOf(properties) : noEntries;
}

/** Whether a schema or one within passes a test, which no plain scalar passes. */
export function hasSchema(schema: JsonObject, test: (schema: JsonObject) => boolean): boolean {
  return test(schema) || schemasWithin(schema).some((part) => hasSchema(part, test));
}

/** Whether a schema or one within has a default. */
export const hasDefault: (schema: JsonObject) => boolean = rememberedByPart((schema: JsonObject) =>
  hasSchema(schema, (one) => one["default"] !== undefined),
);

const nothingWithin: readonly JsonObject[] = [];

function schemasWithin(schema: JsonObject): readonly JsonObject[] {
  if (isPlainScalar(schema)) return nothingWithin;
  const values: (JsonValue | undefined)[] = parts.map((name) => schema[name]);
  for (const [, property] of propertiesToCheck(schema)) values.push(property);
  for (const name of maps) {
    const map = schema[name];
    if (isJsonObject(map)) values.push(...Object.values(map));
  }
  for (const name of lists) {
    const list = schema[name];
    if (Array.isArray(list)) values.push(...list);
  }
  return values.filter(isJsonObject);
}
