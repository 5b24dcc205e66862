import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import type { ControlRoute } from "./control-route.ts";
import { errorSchema } from "./control-schemas.ts";
import type { ObjectSchema, Properties, ValueSchema } from "./value-schema.ts";

/** The path of the document, beside those of the other routes. */
export const openApiPath = "openapi.json";

/** The OpenAPI document of routes below a path. */
export function openApiDocument(root: string, routes: readonly ControlRoute[]): JsonObject {
  const paths: MutableJsonObject = {};
  for (const path of new Set(routes.map((route) => route.path))) {
    const atPath = routes.filter((route) => route.path === path);
    paths[`${root}${path}`] = Object.fromEntries(
      atPath.map((route) => [route.method.toLowerCase(), operation(route)]),
    );
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "kubedouble control API",
      version: "v1",
      description:
        "Controls a cluster of kubedouble: faults, requests, time and state. It exists only for the administrator's token.",
    },
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { Error: errorSchema },
    },
  };
}

function operation(route: ControlRoute): JsonObject {
  const { path, query = {}, body } = route;
  const parameters = [
    ...(path.includes("{id}")
      ? [{ name: "id", in: "path", required: true, schema: { type: "string" } }]
      : []),
    ...Object.entries(query).map(([name, schema]) => ({ name, in: "query", schema: schemaJson(schema) })),
  ];
  return {
    operationId: route.operation,
    summary: route.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: (body.required ?? []).length > 0,
        content: jsonContent(objectJson(body)),
      },
    }),
    responses: responses(route),
  };
}

function responses({ success, errors = {} }: ControlRoute): JsonObject {
  const all: readonly (readonly [status: string, description: string])[] = [
    ["400", "The request is not valid."],
    ...Object.entries(errors),
  ];
  const ofErrors = all.map(([status, description]) => [
    status,
    { description, content: jsonContent({ $ref: "#/components/schemas/Error" }) },
  ]);
  const { status, schema } = success;
  return {
    [status]: { description: "Success.", ...(schema !== undefined && { content: jsonContent(schema) }) },
    ...Object.fromEntries(ofErrors),
  };
}

function jsonContent(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

function objectJson({ properties, required = [] }: ObjectSchema): JsonObject {
  return {
    type: "object",
    properties: propertiesJson(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function propertiesJson(properties: Properties): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, schemaJson(schema)]));
}

/** A schema is plain JSON, except that its members may be missing. */
function schemaJson(schema: ValueSchema): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
