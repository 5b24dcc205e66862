import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { releases } from "../../apimachinery/release.ts";
import { openApiDocuments } from "./openapi-documents.ts";

describe.each(releases)("in %s", (release) => {
  test("every reference of every document has a target, and every definition is referred to", () => {
    for (const runtimeConfig of [new Map<string, boolean>(), new Map([["api/all", true]])]) {
      const view = viewOf({ release, runtimeConfig });
      const v2 = openApiDocuments(view).v2();
      const parts = ["definitions", "parameters"].flatMap((part) =>
        Object.keys((v2[part] ?? {}) as JsonObject).map((name) => `#/${part}/${name}`),
      );
      expect([...referencesIn(v2)].sort()).toEqual(parts.sort());
      for (const path of openApiDocuments(view).v3Paths) {
        const document = openApiDocuments(view).v3(path) ?? {};
        const { schemas } = document.components as { readonly schemas?: JsonObject };
        const names = Object.keys(schemas ?? {}).map((name) => `#/components/schemas/${name}`);
        expect([...referencesIn(document)].sort(), path).toEqual(names);
      }
    }
  });
});

test("the paths of v3 are sorted, and each has a document", () => {
  const view = viewOf({ release: "1.32" });
  const paths = openApiDocuments(view).v3Paths;
  expect(paths).toEqual([...paths].sort());
  expect(paths.slice(0, 6)).toEqual([
    ".well-known/openid-configuration",
    "api",
    "api/v1",
    "apis",
    "apis/admissionregistration.k8s.io",
    "apis/admissionregistration.k8s.io/v1",
  ]);
  expect(paths.slice(-2)).toEqual(["openid/v1/jwks", "version"]);
  expect(paths.length).toBe(45);
  for (const path of paths)
    expect(Object.keys(pathsOf(openApiDocuments(view).v3(path))).length, path).toBeGreaterThan(0);
});

test.each(["", "apis/nope", "apis/nope/v1", "apis/apps/v1/", "api/v2", "apis/apps/v1beta1", "constructor"])(
  "v3 has no document at %j",
  (path) => {
    expect(openApiDocuments(viewOf({ release: "1.32" })).v3(path)).toBeUndefined();
  },
);

test("v3 exists since 1.24; before, it was disabled by default", () => {
  expect(openApiDocuments(viewOf({ release: "1.23" })).v3Paths).toEqual([]);
  expect(openApiDocuments(viewOf({ release: "1.23" })).v3("api/v1")).toBeUndefined();
  expect(openApiDocuments(viewOf({ release: "1.24" })).v3Paths).toContain("apis/apps/v1");
});

test("a document is made once for a view of the API", () => {
  const view = viewOf({ release: "1.31" });
  expect(openApiDocuments(view).v2()).toBe(openApiDocuments(view).v2());
  expect(openApiDocuments(view).v3("api/v1")).toBe(openApiDocuments(view).v3("api/v1"));
});

test("a disabled version is in no document", () => {
  const off = viewOf({ release: "1.32", runtimeConfig: new Map([["batch/v1", false]]) });
  expect(openApiDocuments(off).v3Paths).not.toContain("apis/batch");
  expect(Object.keys(openApiDocuments(off).v2().definitions as JsonObject)).not.toContain(
    "io.k8s.api.batch.v1.Job",
  );
});

describe("documents begin like those of a real server", () => {
  const golden = readFileSync(
    new URL("../../../test/conformance/golden/discovery.jsonl", import.meta.url),
    "utf8",
  );
  const recorded = golden
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ req, res }) => req.path.startsWith("/openapi/") && res.body.truncated?.startsWith('{"'))
    .filter(({ req }) => req.path !== "/openapi/v3")
    .map(({ n, req, res }) => [n, req.path.replace(/\?.*/, ""), res.body.truncated]);

  test.each(recorded)("exchange %d: %s", (_n, path: string, text: string) => {
    const view = viewOf({ release: "1.32" });
    const document =
      path === "/openapi/v2"
        ? openApiDocuments(view).v2()
        : openApiDocuments(view).v3(path.slice("/openapi/v3/".length));
    expect(JSON.stringify(document).slice(0, text.length)).toBe(text);
  });
});

describe("the parts that kubectl reads", () => {
  const view = viewOf({ release: "1.32" });

  test.each([
    ["apis/apps/v1", { group: "apps", version: "v1", kind: "Deployment" }],
    ["api/v1", { group: "", version: "v1", kind: "ConfigMap" }],
    [
      "apis/rbac.authorization.k8s.io/v1",
      { group: "rbac.authorization.k8s.io", version: "v1", kind: "Role" },
    ],
  ])("in v3 at %s a patch of %j takes dryRun and fieldValidation", (path, gvk) => {
    const patches = Object.values(pathsOf(openApiDocuments(view).v3(path)))
      .map((item) => (item as JsonObject).patch)
      .filter((patch) => isJsonObject(patch) && sameKind(patch, gvk));
    expect(patches.length).toBeGreaterThan(0);
    for (const patch of patches)
      expect(namesOf(patch)).toEqual(expect.arrayContaining(["dryRun", "fieldValidation"]));
  });

  test("in v2 the same parameters are in the operation itself", () => {
    const item = pathsOf(openApiDocuments(view).v2())[
      "/api/v1/namespaces/{namespace}/pods/{name}"
    ] as JsonObject;
    expect(namesOf(item.patch)).toEqual([undefined, "dryRun", undefined, "fieldValidation", undefined]);
  });

  test("a definition has the merge keys of its lists", () => {
    const { definitions } = openApiDocuments(view).v2() as {
      readonly definitions: { readonly [name: string]: JsonObject };
    };
    const { properties } = definitions["io.k8s.api.core.v1.PodSpec"] as { readonly properties: JsonObject };
    expect(properties.containers).toEqual({
      type: "array",
      items: { $ref: "#/definitions/io.k8s.api.core.v1.Container" },
      "x-kubernetes-patch-merge-key": "name",
      "x-kubernetes-patch-strategy": "merge",
      "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-list-type": "map",
    });
  });
});

function referencesIn(value: JsonValue, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) {
    for (const item of value) referencesIn(item, found);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      // A property can have the name $ref; its schema is an object.
      if (key === "$ref" && typeof item === "string") found.add(item);
      else referencesIn(item, found);
    }
  }
  return found;
}

function pathsOf(document: JsonObject | undefined): JsonObject {
  return (document?.paths ?? {}) as JsonObject;
}

function sameKind(patch: JsonObject, gvk: JsonObject): boolean {
  return JSON.stringify(patch["x-kubernetes-group-version-kind"]) === JSON.stringify(gvk);
}

function namesOf(operation: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  const { parameters } = operation as { readonly parameters: readonly JsonObject[] };
  return parameters.map((parameter) => parameter.name);
}
