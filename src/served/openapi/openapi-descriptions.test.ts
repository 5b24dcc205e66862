import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import { describedDocument } from "./described-document.ts";
import { OpenApiDescriptions } from "./openapi-descriptions.ts";

const swagger: JsonObject = {
  definitions: {
    Widget: {
      description: "A widget.",
      properties: { spec: { description: "What it should be." }, other: { description: "Not served." } },
    },
    Unserved: { description: "No document has it." },
  },
};
const ref = { $ref: "#/definitions/Spec" };
const widget = { type: "object", properties: { kind: { type: "string" }, spec: ref } };
const described = {
  description: "A widget.",
  type: "object",
  properties: { kind: { type: "string" }, spec: { description: "What it should be.", ...ref } },
};

test.each<[title: string, document: JsonObject, expected: JsonObject]>([
  [
    "OpenAPI 2 describes types and fields",
    { swagger: "2.0", definitions: { Widget: widget, Spec: {} } },
    { swagger: "2.0", definitions: { Widget: described, Spec: {} } },
  ],
  [
    "OpenAPI 3 describes types and fields",
    { openapi: "3.0.0", components: { schemas: { Widget: widget }, securitySchemes: {} } },
    { openapi: "3.0.0", components: { schemas: { Widget: described }, securitySchemes: {} } },
  ],
  ["a document without types stays as it is", { openapi: "3.0.0" }, { openapi: "3.0.0" }],
])("%s", (_title, document, expected) => {
  expect(describedDocument(document, swagger)).toEqual(expected);
});

test("different descriptions have different digests", () => {
  const [one, same, other] = [swagger, structuredClone(swagger), { definitions: {} }].map(
    (document) => new OpenApiDescriptions(document).digest,
  );
  expect(one).toBe(same);
  expect(one).not.toBe(other);
});
