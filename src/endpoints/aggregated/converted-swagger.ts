import { listAt, objectAt, structAt, textsAt } from "../../apimachinery/fields.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MutableJsonObject,
} from "../../apimachinery/json.ts";

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];
const documentation = ["tags", "summary", "description", "externalDocs", "operationId", "deprecated"];
const ofParameters = ["name", "in", "description", "required", "allowEmptyValue"];

/**
 * A Swagger document as OpenAPI 3. It loses what OpenAPI 3 says otherwise, as upstream's does: kube-openapi,
 * pkg/openapiconv/convert.go.
 */
export function convertedSwagger(document: JsonObject): JsonObject {
  const { info, paths } = document;
  const converted: MutableJsonObject = { openapi: "3.0.0", ...defined({ info }) };
  Object.assign(converted, picked(document, ["externalDocs"]));
  if (paths !== undefined) converted["paths"] = mapped(paths, path);
  converted["components"] = defined({
    schemas: mappedAt(document, "definitions", schema),
    responses: mappedAt(document, "responses", (one) => response(one, textsAt(document, "produces"))),
    securitySchemes: mappedAt(document, "securityDefinitions", securityScheme),
  });
  return converted;
}

function path(item: JsonObject): JsonObject {
  return {
    ...picked(item, ["$ref"]),
    ...extensions(item),
    ...defined(
      Object.fromEntries(
        methods.map((method) => {
          const own = objectAt(item, method);
          return [method, own && operation(own)];
        }),
      ),
    ),
    ...parametersOf(listAt(item, "parameters")),
  };
}

function operation(source: JsonObject): JsonObject {
  const all = listAt(source, "parameters");
  const isBody = (one: JsonObject) => one["name"] === "body" && isJsonObject(one["schema"] ?? null);
  const body = all.findLast(isBody);
  return {
    ...extensions(source),
    ...picked(source, documentation),
    ...parametersOf(all.filter((one) => !isBody(one))),
    ...(body !== undefined && {
      requestBody: { content: contentOf(schema(structAt(body, "schema")), textsAt(source, "consumes")) },
    }),
    responses: mapped(source["responses"] ?? {}, (one) => response(one, textsAt(source, "produces"))),
  };
}

function parametersOf(list: readonly JsonObject[]): JsonObject {
  return list.length === 0 ? {} : { parameters: list.map(parameter) };
}

function parameter(source: JsonObject): JsonObject {
  const own = objectAt(source, "schema");
  const { $ref } = source;
  return {
    ...(typeof $ref === "string" && { $ref: $ref.replace("#/parameters/", "#/components/parameters/") }),
    ...extensions(source),
    ...picked(source, ofParameters),
    schema: own === undefined ? picked(source, ["type", "format", "uniqueItems"]) : schema(own),
  };
}

function response(source: JsonObject, produces: readonly string[]): JsonObject {
  const own = objectAt(source, "schema");
  const { $ref } = source;
  return {
    ...(typeof $ref === "string" && { $ref: $ref.replace("#/responses/", "#/components/responses/") }),
    ...extensions(source),
    ...picked(source, ["description"]),
    ...(own !== undefined && produces.length > 0 && { content: contentOf(schema(own), produces) }),
  };
}

function contentOf(described: JsonObject, types: readonly string[]): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema: described }]));
}

/** OpenAPI 3 wants a reference to stand alone. */
function schema(source: JsonObject): JsonObject {
  const { $ref, ...rest } = source;
  const converted: MutableJsonObject = { ...rest };
  if (rest["properties"] !== undefined) converted["properties"] = mapped(rest["properties"], schema);
  for (const part of ["items", "additionalProperties", "additionalItems"]) {
    const own = rest[part];
    if (Array.isArray(own)) converted[part] = own.map((one) => (isJsonObject(one) ? schema(one) : one));
    else if (own !== undefined && isJsonObject(own)) converted[part] = schema(own);
  }
  if (typeof $ref !== "string") return converted;
  const reference = { $ref: $ref.replace(/^.*?#\/definitions\//, "#/components/schemas/") };
  return Object.keys(converted).length === 0 ? reference : { ...converted, allOf: [reference] };
}

function securityScheme(source: JsonObject): JsonObject {
  const { flow } = source;
  const { authorizationUrl, tokenUrl, scopes } = source;
  return {
    ...extensions(source),
    ...picked(source, ["type", "description", "name", "in"]),
    ...(typeof flow === "string" && { flows: { [flow]: defined({ authorizationUrl, tokenUrl, scopes }) } }),
  };
}

function mappedAt(
  source: JsonObject,
  section: string,
  convert: (value: JsonObject) => JsonObject,
): JsonObject | undefined {
  const own = objectAt(source, section);
  return own && mapped(own, convert);
}

/** An object with its objects converted; extensions stay. */
function mapped(source: JsonValue, convert: (value: JsonObject) => JsonObject): JsonObject {
  if (!isJsonObject(source)) return {};
  const entries = Object.entries(source).map(([key, value]): [string, JsonValue] => [
    key,
    isJsonObject(value) && !key.startsWith("x-") ? convert(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function extensions(source: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([key]) => key.startsWith("x-")));
}

function picked(source: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([key]) => names.includes(key)));
}

function defined(source: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  const entries = Object.entries(source).flatMap(([key, value]): [string, JsonValue][] =>
    value === undefined ? [] : [[key, value]],
  );
  return Object.fromEntries(entries);
}
