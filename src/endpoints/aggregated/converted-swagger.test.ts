import { expect, test } from "vitest";
import { convertedSwagger } from "./converted-swagger.ts";

test("a Swagger document becomes one of OpenAPI 3", () => {
  const ref = (name: string) => ({ $ref: `#/definitions/${name}` });
  const converted = convertedSwagger({
    swagger: "2.0",
    info: { title: "T", version: "1" },
    externalDocs: { url: "u" },
    schemes: ["https"],
    paths: {
      "/a": {
        parameters: [{ name: "p", in: "query", type: "boolean", uniqueItems: true }],
        post: {
          operationId: "o",
          tags: ["t"],
          "x-kubernetes-action": "post",
          consumes: ["application/json", "application/yaml"],
          produces: ["application/json"],
          parameters: [
            { name: "body", in: "body", required: true, schema: ref("A") },
            { $ref: "#/parameters/q" },
          ],
          responses: { "200": { description: "OK", schema: ref("A") }, "401": { description: "no" } },
        },
      },
    },
    definitions: {
      A: {
        type: "object",
        "x-kubernetes-group-version-kind": [],
        properties: { b: { ...ref("B"), description: "d", default: {} }, c: ref("B") },
        additionalProperties: { type: "array", items: ref("B") },
      },
      B: { type: "string" },
    },
    securityDefinitions: {
      token: { type: "apiKey", name: "authorization", in: "header" },
      flow: { type: "oauth2", flow: "implicit", authorizationUrl: "a", scopes: { s: "x" } },
    },
  });
  const inV3 = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  expect(converted).toEqual({
    openapi: "3.0.0",
    info: { title: "T", version: "1" },
    externalDocs: { url: "u" },
    paths: {
      "/a": {
        parameters: [{ name: "p", in: "query", schema: { type: "boolean", uniqueItems: true } }],
        post: {
          operationId: "o",
          tags: ["t"],
          "x-kubernetes-action": "post",
          parameters: [{ $ref: "#/components/parameters/q", schema: {} }],
          requestBody: {
            content: { "application/json": { schema: inV3("A") }, "application/yaml": { schema: inV3("A") } },
          },
          responses: {
            "200": { description: "OK", content: { "application/json": { schema: inV3("A") } } },
            "401": { description: "no" },
          },
        },
      },
    },
    components: {
      schemas: {
        A: {
          type: "object",
          "x-kubernetes-group-version-kind": [],
          properties: { b: { description: "d", default: {}, allOf: [inV3("B")] }, c: inV3("B") },
          additionalProperties: { type: "array", items: inV3("B") },
        },
        B: { type: "string" },
      },
      securitySchemes: {
        token: { type: "apiKey", name: "authorization", in: "header" },
        flow: { type: "oauth2", flows: { implicit: { authorizationUrl: "a", scopes: { s: "x" } } } },
      },
    },
  });
});
