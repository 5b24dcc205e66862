import type { JsonObject, MutableJsonObject } from "../../apimachinery/json.ts";
import type { Since } from "../../apimachinery/release.ts";
import type { OpenApiDefinitions, OpenApiType } from "./openapi-definitions.ts";
import type { OpenApiOperation } from "./openapi-operation.ts";
import type { OpenApiParameter } from "./openapi-parameters.ts";
import { operationExtensions, type PathDialect, pathsOf, responsesOf } from "./openapi-paths.ts";

/** The OpenAPI 3.0 document of the operations and the definitions that they need. */
export function openApi3(
  definitions: OpenApiDefinitions,
  since: Since,
  operations: readonly OpenApiOperation[],
  info: JsonObject,
): JsonObject {
  const roots = new Set<string>();
  const paths = pathsOf(
    operations,
    pathDialect(since, (type) => definitions.schemaOf(type, roots)),
  );
  const schemas = definitions.closure(roots);
  return {
    openapi: "3.0.0",
    info,
    paths,
    components: {
      ...(roots.size > 0 && { schemas }),
      securitySchemes: {
        BearerToken: {
          type: "apiKey",
          description: "Bearer Token authentication",
          name: "authorization",
          in: "header",
        },
      },
    },
  };
}

function pathDialect(since: Since, schemaOf: (type: OpenApiType) => JsonObject): PathDialect {
  return {
    parameter: writeParameter,
    operation(operation, parameters) {
      const { body, consumes, produces, description, operationId, responses, tag } = operation;
      return {
        tags: [tag],
        description,
        operationId,
        ...(parameters.length > 0 && { parameters: parameters.map(writeParameter) }),
        ...(body && {
          requestBody: {
            content: contentOf(consumes, schemaOf(body.type)),
            // Up to 1.28 no document said that a body is required.
            ...(body.required && since("1.29") && { required: true }),
          },
        }),
        responses: responsesOf(responses, (response) => ({
          description: response.description,
          ...(response.type && { content: contentOf(produces, schemaOf(response.type)) }),
        })),
        ...operationExtensions(operation),
      };
    },
  };
}

function writeParameter({ name, in: place, type, description }: OpenApiParameter): JsonObject {
  const required = place === "path";
  return { name, in: place, description, ...(required && { required }), schema: { type, uniqueItems: true } };
}

function contentOf(mediaTypes: readonly string[], schema: JsonObject): JsonObject {
  const content: MutableJsonObject = {};
  for (const mediaType of [...mediaTypes].sort()) content[mediaType] = { schema };
  return content;
}
