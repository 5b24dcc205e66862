import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
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

/** How the document converts a part of its definitions. */
const converted = (schema: JsonObject) =>
  convertedSwagger({ definitions: { A: schema } })["components"] as JsonObject;

test.each([
  [{ items: [{ $ref: "#/definitions/B" }, true] }, { items: [{ $ref: "#/components/schemas/B" }, true] }],
  [{ items: true }, { items: true }],
  [
    { additionalItems: { $ref: "other.json#/definitions/B" } },
    { additionalItems: { $ref: "#/components/schemas/B" } },
  ],
  [{ additionalProperties: false }, { additionalProperties: false }],
  [{ $ref: "#/elsewhere/B" }, { $ref: "#/elsewhere/B" }],
  [
    { properties: { "x-one": { $ref: "#/definitions/B" }, two: "text" } },
    { properties: { "x-one": { $ref: "#/definitions/B" }, two: "text" } },
  ],
  [{ properties: "text" }, { properties: {} }],
])("the schema %j becomes %j", (schema, expected) => {
  expect(converted(schema)).toEqual({ schemas: { A: expected } });
});

test("an empty document has components, and nothing else that it does not say", () => {
  expect(convertedSwagger({})).toEqual({ openapi: "3.0.0", components: {} });
});

test("the last body counts, responses that are referred to stay so, and extensions stay", () => {
  const body = (type: string) => ({ name: "body", in: "body", schema: { type } });
  const path = {
    "x-path": 1,
    $ref: "other",
    unknown: {},
    get: {
      unknown: 1,
      deprecated: true,
      consumes: ["a/b"],
      parameters: [body("string"), body("number"), { name: "body", in: "query" }],
      responses: {
        "200": { $ref: "#/responses/OK" },
        "x-none": { description: "stays" },
        "400": { "x-why": 1, description: "bad", schema: {}, headers: {} },
      },
    },
  };
  expect(convertedSwagger({ paths: { "/a": path }, produces: ["c/d"] })["paths"]).toEqual({
    "/a": {
      "x-path": 1,
      $ref: "other",
      get: {
        deprecated: true,
        parameters: [{ name: "body", in: "query", schema: {} }],
        requestBody: { content: { "a/b": { schema: { type: "number" } } } },
        responses: {
          "200": { $ref: "#/components/responses/OK" },
          "x-none": { description: "stays" },
          "400": { "x-why": 1, description: "bad" },
        },
      },
    },
  });
});

test("the responses of a document have the types that it produces", () => {
  const responses = { OK: { description: "fine", schema: { type: "string" } } };
  expect(convertedSwagger({ responses, produces: ["c/d"] })["components"]).toEqual({
    responses: { OK: { description: "fine", content: { "c/d": { schema: { type: "string" } } } } },
  });
  expect(convertedSwagger({ responses })["components"]).toEqual({
    responses: { OK: { description: "fine" } },
  });
});

test.each([
  [
    { type: "apiKey", description: "d", name: "n", in: "header", other: 1, "x-a": 1 },
    { type: "apiKey", description: "d", name: "n", in: "header", "x-a": 1 },
  ],
  [
    { type: "oauth2", flow: "password", tokenUrl: "t" },
    { type: "oauth2", flows: { password: { tokenUrl: "t" } } },
  ],
])("the security scheme %j becomes %j", (scheme, expected) => {
  expect(convertedSwagger({ securityDefinitions: { A: scheme } })["components"]).toEqual({
    securitySchemes: { A: expected },
  });
});

test.each([
  [
    { name: "p", in: "query", type: "integer", format: "int32", uniqueItems: true, default: 1 },
    { name: "p", in: "query", schema: { type: "integer", format: "int32", uniqueItems: true } },
  ],
  [
    {
      name: "p",
      in: "path",
      description: "d",
      required: true,
      allowEmptyValue: true,
      "x-a": 1,
      type: "string",
    },
    {
      "x-a": 1,
      name: "p",
      in: "path",
      description: "d",
      required: true,
      allowEmptyValue: true,
      schema: { type: "string" },
    },
  ],
  [
    { name: "p", in: "query", type: "string", schema: { $ref: "#/definitions/B" } },
    { name: "p", in: "query", schema: { $ref: "#/components/schemas/B" } },
  ],
])("the parameter %j becomes %j", (parameter, expected) => {
  expect(convertedSwagger({ paths: { "/a": { parameters: [parameter] } } })["paths"]).toStrictEqual({
    "/a": { parameters: [expected] },
  });
});

test("every method keeps what documents it", () => {
  const operation = {
    ...{ tags: ["t"], summary: "s", description: "d", externalDocs: { url: "u" } },
    ...{ operationId: "o", deprecated: true, responses: {} },
  };
  const methods = ["get", "put", "post", "delete", "options", "head", "patch"];
  const path = Object.fromEntries(methods.map((method) => [method, operation]));
  expect(convertedSwagger({ paths: { "/a": path } })["paths"]).toStrictEqual({ "/a": path });
});
