import { structAt, textAt } from "../../apimachinery/fields.ts";
import { isJsonObject, type JsonObject } from "../../apimachinery/json.ts";

/** A document of `/openapi/v2` or `/openapi/v3` with the descriptions of its types and their fields in a Swagger document. */
export function describedDocument(document: JsonObject, swagger: JsonObject): JsonObject {
  const { definitions, components } = document;
  if (isJsonObject(definitions)) return { ...document, definitions: describeAll(definitions, swagger) };
  if (!isJsonObject(components)) return document;
  const schemas = describeAll(structAt(components, "schemas"), swagger);
  return { ...document, components: { ...components, schemas } };
}

function describeAll(definitions: JsonObject, swagger: JsonObject): JsonObject {
  const described = Object.entries(definitions).map(([name, definition]) => {
    const source = structAt(swagger, "definitions", name);
    return [name, isJsonObject(definition) ? describeType(definition, source) : definition] as const;
  });
  return Object.fromEntries(described);
}

function describeType(definition: JsonObject, source: JsonObject): JsonObject {
  const { properties } = definition;
  if (!isJsonObject(properties)) return withDescription(definition, source);
  const described = Object.entries(properties).map(([name, property]) => {
    const field = structAt(source, "properties", name);
    return [name, isJsonObject(property) ? withDescription(property, field) : property] as const;
  });
  return withDescription({ ...definition, properties: Object.fromEntries(described) }, source);
}

function withDescription(schema: JsonObject, source: JsonObject): JsonObject {
  const description = textAt(source, "description");
  return description === "" ? schema : { description, ...schema };
}
