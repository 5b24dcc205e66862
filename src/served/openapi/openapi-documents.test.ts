import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json.ts";
import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { Release } from "../../catalog/api-resource.ts";
import { catalogOf } from "../../catalog/catalog.ts";
import { supportedReleases } from "../../catalog/release.ts";
import { openApiV2, openApiV3, openApiV3Paths } from "./openapi-documents.ts";

const { first, last } = supportedReleases;
const releases = Array.from({ length: last - first + 1 }, (_, index): Release => `1.${first + index}`);

describe.each(releases)("in %s", (release) => {
  test("every reference of every document leads somewhere, and everything is referred to", () => {
    for (const runtimeConfig of [new Map<string, boolean>(), new Map([["api/all", true]])]) {
      const catalog = catalogOf({ release, runtimeConfig });
      const v2 = openApiV2(catalog);
      const parts = ["definitions", "parameters"].flatMap((part) =>
        Object.keys((v2[part] ?? {}) as JsonObject).map((name) => `#/${part}/${name}`),
      );
      expect([...referencesIn(v2)].sort()).toEqual(parts.sort());
      for (const path of openApiV3Paths(catalog)) {
        const document = openApiV3(catalog, path) ?? {};
        const { schemas } = document.components as { readonly schemas?: JsonObject };
        const names = Object.keys(schemas ?? {}).map((name) => `#/components/schemas/${name}`);
        expect([...referencesIn(document)].sort(), path).toEqual(names);
      }
    }
  });
});

test("the paths of v3 are sorted, a document each", () => {
  const catalog = catalogOf({ release: "1.32" });
  const paths = openApiV3Paths(catalog);
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
    expect(Object.keys(pathsOf(openApiV3(catalog, path))).length, path).toBeGreaterThan(0);
});

test.each(["", "apis/nope", "apis/nope/v1", "apis/apps/v1/", "api/v2", "apis/apps/v1beta1", "constructor"])(
  "v3 has no document at %j",
  (path) => {
    expect(openApiV3(catalogOf({ release: "1.32" }), path)).toBeUndefined();
  },
);

test("v3 begins with 1.24, as it was off by default before", () => {
  expect(openApiV3Paths(catalogOf({ release: "1.23" }))).toEqual([]);
  expect(openApiV3(catalogOf({ release: "1.23" }), "api/v1")).toBeUndefined();
  expect(openApiV3Paths(catalogOf({ release: "1.24" }))).toContain("apis/apps/v1");
});

test("a document is made once for a catalog", () => {
  const catalog = catalogOf({ release: "1.31" });
  expect(openApiV2(catalog)).toBe(openApiV2(catalog));
  expect(openApiV3(catalog, "api/v1")).toBe(openApiV3(catalog, "api/v1"));
});

test("what is off is in no document", () => {
  const off = catalogOf({ release: "1.32", runtimeConfig: new Map([["batch/v1", false]]) });
  expect(openApiV3Paths(off)).not.toContain("apis/batch");
  expect(Object.keys(openApiV2(off).definitions as JsonObject)).not.toContain("io.k8s.api.batch.v1.Job");
});

describe("documents begin as those of a real server", () => {
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
    const catalog = catalogOf({ release: "1.32" });
    const document =
      path === "/openapi/v2" ? openApiV2(catalog) : openApiV3(catalog, path.slice("/openapi/v3/".length));
    // The recorded server emulated 1.32, so it had no patch version to say.
    const ours = JSON.stringify(document).replace('"version":"v1.32.0"', '"version":"1.32"');
    expect(ours.slice(0, text.length)).toBe(text);
  });
});

describe("what kubectl looks for", () => {
  const catalog = catalogOf({ release: "1.32" });

  test.each([
    ["apis/apps/v1", { group: "apps", version: "v1", kind: "Deployment" }],
    ["api/v1", { group: "", version: "v1", kind: "ConfigMap" }],
    [
      "apis/rbac.authorization.k8s.io/v1",
      { group: "rbac.authorization.k8s.io", version: "v1", kind: "Role" },
    ],
  ])("in v3 at %s a patch of %j takes dryRun and fieldValidation", (path, gvk) => {
    const patches = Object.values(pathsOf(openApiV3(catalog, path)))
      .map((item) => (item as JsonObject).patch)
      .filter((patch) => isJsonObject(patch) && sameKind(patch, gvk));
    expect(patches.length).toBeGreaterThan(0);
    for (const patch of patches)
      expect(namesOf(patch)).toEqual(expect.arrayContaining(["dryRun", "fieldValidation"]));
  });

  test("in v2 the same parameters stand in the operation itself", () => {
    const item = pathsOf(openApiV2(catalog))["/api/v1/namespaces/{namespace}/pods/{name}"] as JsonObject;
    expect(namesOf(item.patch)).toEqual([undefined, "dryRun", undefined, "fieldValidation", undefined]);
  });

  test("a definition says how its lists merge", () => {
    const { definitions } = openApiV2(catalog) as {
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
      // A property may be called $ref: its schema is an object.
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
