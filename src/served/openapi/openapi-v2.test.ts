import { expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { openApiDocuments } from "./openapi-documents.ts";
import { hash } from "./openapi-v2.ts";

test("shared parameters are named after a hash of themselves, as upstream names them", () => {
  const { parameters } = openApiDocuments(viewOf({ release: "1.32" })).v2() as {
    readonly parameters: JsonObject;
  };
  // The two without descriptions of our own, so that the names are those of the published document.
  expect(parameters["body-2Y1dVQaQ"]).toEqual({
    name: "body",
    in: "body",
    schema: { $ref: "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions" },
  });
  expect(parameters["body-78PwaGsr"]).toEqual({
    name: "body",
    in: "body",
    required: true,
    schema: { $ref: "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Patch" },
  });
});

test("the hash is FNV-1", () => {
  expect(hash("")).toBe("y_Kc5IQi");
});

test("parameters are shared since 1.28", () => {
  expect(openApiDocuments(viewOf({ release: "1.27" })).v2()).not.toHaveProperty("parameters");
  expect(openApiDocuments(viewOf({ release: "1.28" })).v2()).toHaveProperty("parameters");
});

test("an operation's own parameters are in order, with the body among them", () => {
  const { paths } = openApiDocuments(viewOf({ release: "1.27" })).v2() as { readonly paths: JsonObject };
  const item = paths["/api/v1/namespaces/{namespace}/pods"] as { readonly delete: JsonObject };
  const names = (item.delete.parameters as readonly JsonObject[]).map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  expect(names).toContain("body");
});
