import { expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import { definitionOf } from "./resource-definition.ts";

const view = viewOf({ release: "1.32" });

test("the definition of a resource has its names, its scope and the schema of its kind", () => {
  const entry = view.resource({ group: "apps", version: "v1", resource: "deployments" });
  const gvk = { group: "apps", version: "v1", kind: "Deployment" };
  expect(entry && definitionOf(entry, view)).toEqual({
    groupResource: { group: "apps", resource: "deployments" },
    gvk,
    schema: view.kind(gvk),
    namespaced: true,
  });
});

test("a resource without a schema is a mistake", () => {
  const entry = view.resource({ group: "apps", version: "v1", resource: "deployments" });
  expect(() => definitionOf({ ...(entry ?? expect.unreachable()), kind: "Thing" }, view)).toThrow(
    "there is no schema for Thing in apps/v1",
  );
});
