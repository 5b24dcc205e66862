import { objectAt, textAt, textsAt, valueAt } from "../apimachinery/fields.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json.ts";
import { encodeJson } from "../codec/json/json.ts";

/** The TypeScript type of a value with a schema of a CustomResourceDefinition. `indent` is that of its line. */
export function schemaType(schema: JsonObject, indent: string): string {
  const type = plainType(schema, indent);
  return schema["nullable"] === true && type !== "unknown" && !/(?:^|\| )null$/.test(type)
    ? `${type} | null`
    : type;
}

function plainType(schema: JsonObject, indent: string): string {
  if (schema["x-kubernetes-int-or-string"] === true) return "number | string";
  const choices = schema["enum"];
  if (Array.isArray(choices) && choices.every(isScalar)) return literals(choices);
  switch (textAt(schema, "type")) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return arrayType(schema, indent);
    case "object":
      return objectType(schema, indent);
    default:
      return "unknown";
  }
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

function literals(choices: readonly JsonValue[]): string {
  if (choices.length === 0) return "never";
  return [...new Set(choices.map((choice) => encodeJson(choice)))].join(" | ");
}

function arrayType(schema: JsonObject, indent: string): string {
  const items = objectAt(schema, "items");
  const type = items === undefined ? "unknown" : schemaType(items, indent);
  return type.includes(" | ") ? `(${type})[]` : `${type}[]`;
}

function objectType(schema: JsonObject, indent: string): string {
  const fields = fieldsOf(schema, `${indent}  `);
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const values = valueAt(schema, "additionalProperties");
  if (fields.length === 0 && !isOpen && !isEmbedded) return mapType(values, indent);
  const open = isOpen || (values !== undefined && values !== false);
  const lines = [
    ...(isEmbedded ? embeddedFields(schema, `${indent}  `) : []),
    ...fields,
    ...(open ? [`${indent}  [field: string]: unknown;\n`] : []),
  ];
  return `{\n${lines.join("")}${indent}}`;
}

/** A type without named fields. Without a schema for its values, everything in it is pruned. */
function mapType(values: JsonValue | undefined, indent: string): string {
  if (values === true) return "{ [key: string]: unknown }";
  return isJsonObject(values) ? `{ [key: string]: ${schemaType(values, indent)} }` : "Record<string, never>";
}

/** The fields of every object, unless the schema has them. */
function embeddedFields(schema: JsonObject, indent: string): readonly string[] {
  const known = objectAt(schema, "properties") ?? {};
  const all = [
    ["apiVersion", "string"],
    ["kind", "string"],
    ["metadata", "ObjectMeta"],
  ] as const;
  const missing = all.filter(([name]) => !Object.hasOwn(known, name) || name === "metadata");
  return missing.map(([name, type]) => `${indent}${name}${name === "metadata" ? "?" : ""}: ${type};\n`);
}

function fieldsOf(schema: JsonObject, indent: string): readonly string[] {
  const required = new Set(textsAt(schema, "required"));
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  return Object.entries(objectAt(schema, "properties") ?? {})
    .filter(([name]) => !isEmbedded || name !== "metadata")
    .map(([name, value]) => {
      const type = isJsonObject(value) ? value : {};
      // The server sets a field with a default.
      const mark = required.has(name) && type["default"] === undefined ? "" : "?";
      return `${typeComment(type, indent)}${indent}${propertyName(name)}${mark}: ${schemaType(type, indent)};\n`;
    });
}

/** The name of a property, in quotes if it needs them. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) && name !== "__proto__" ? name : JSON.stringify(name);
}

/** The description and the default of a schema as a doc comment; empty without them. */
export function typeComment(schema: JsonObject, indent: string, more: readonly string[] = []): string {
  const value = schema["default"];
  const description = textAt(schema, "description").trim();
  const lines = [
    ...(description === "" ? [] : description.split(/\r\n|[\n\r\u2028\u2029]/)),
    ...(value === undefined ? [] : [`Default: \`${encodeJson(value)}\`.`]),
    ...more,
  ].map((line) => line.trimEnd().replaceAll("*/", "*\\/"));
  const [first, ...rest] = lines;
  if (first === undefined) return "";
  if (rest.length === 0) return `${indent}/** ${first} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}
