import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { ApiResource } from "../../catalog/api-resource.ts";
import { defaultFacts } from "../../catalog/resource-facts.ts";
import { structSchema } from "../../catalog/struct-schema.ts";
import type { KindDefinition } from "../../registry/contract/kind-definition.ts";
import { builtInSchema } from "../../schema/built-in-schema.ts";
import { OpenApiDescriptions } from "../../served/openapi/openapi-descriptions.ts";
import { openApiFiles } from "./openapi-files.ts";

/** A kind that is declared at run time. */
function declared(group: string, kind: string): KindDefinition {
  const gvk = { group, version: "v1", kind };
  const resource = `${kind.toLowerCase()}s`;
  const made: ApiResource = {
    ...gvk,
    resource,
    namespaced: true,
    singular: kind.toLowerCase(),
    verbs: ["get", "list"],
    shortNames: [],
    categories: [],
    subresources: new Map(),
    lifecycle: { introduced: "1.16", deprecated: undefined, removed: undefined, replacement: undefined },
  };
  const type = {
    name: kind,
    gv: gvk,
    typeMeta: true,
    fields: [],
    message: [],
    mapType: undefined,
    unions: [],
  };
  const schema = builtInSchema(structSchema(type));
  const versions = [{ resource: made, schema, facts: defaultFacts(resource), isServed: true }];
  return { group, resource, kind, served: { storageVersion: "v1", versions } };
}

const release = viewOf({ release: "1.32" });
const view = release.withDeclared([declared("example.com", "Gadget")]);
const path = "apis/example.com/v1";
const hash = /^[0-9A-F]{128}$/;
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

describe("the OpenAPI files of a cluster", () => {
  const files = openApiFiles(view, "with enums", undefined);
  const ofRelease = openApiFiles(release, "with enums", undefined);

  test("are the same for the same view", () => {
    expect(openApiFiles(view, "with enums", undefined)).toBe(files);
    expect(files.v2()).toBe(files.v2());
    expect(files.v3(path)).toBe(files.v3(path));
    expect(openApiFiles(release, "with enums", undefined)).not.toBe(files);
  });

  test("list every document with its own digest", () => {
    const all = files.v3Files();
    expect(all.map(([of]) => of)).toEqual(expect.arrayContaining(["api/v1", "apis/apps/v1", path]));
    for (const [of, file] of all) {
      expect(file.hash).toMatch(hash);
      expect(files.v3(of)).toBe(file);
    }
    expect(new Set(all.map(([, file]) => file.hash)).size).toBe(all.length);
    expect(files.v3("apis/nothing/v1")).toBeUndefined();
    expect(ofRelease.v3(path)).toBeUndefined();
  });

  test("of built-in groups are those of the release", () => {
    expect(files.v3("apis/apps/v1")).toBe(ofRelease.v3("apis/apps/v1"));
  });

  test("of declared kinds have digests of what they say", () => {
    const other = openApiFiles(
      release.withDeclared([declared("example.com", "Widget")]),
      "with enums",
      undefined,
    );
    expect(files.v3(path)?.hash).not.toBe(other.v3(path)?.hash);
    const again = openApiFiles(
      release.withDeclared([declared("example.com", "Gadget")]),
      "with enums",
      undefined,
    );
    expect(again.v3(path)?.hash).toBe(files.v3(path)?.hash);
    expect(textOf(files.v3(path)?.json())).toContain('"com.example.v1.Gadget"');
  });

  test("of version 2 have another digest with declared kinds", () => {
    expect(ofRelease.v2().hash).toMatch(hash);
    expect(files.v2().hash).toMatch(hash);
    expect(files.v2().hash).not.toBe(ofRelease.v2().hash);
    const other = openApiFiles(
      release.withDeclared([declared("example.com", "Widget")]),
      "with enums",
      undefined,
    );
    expect(other.v2().hash).not.toBe(files.v2().hash);
    expect(openApiFiles(viewOf({ release: "1.31" }), "with enums", undefined).v2().hash).not.toBe(
      ofRelease.v2().hash,
    );
  });

  test("are encoded once", async () => {
    const file = files.v3(path);
    expect(file?.json()).toBe(file?.json());
    expect(file?.protobuf()).toBe(file?.protobuf());
    expect(textOf(await file?.protobuf())).toContain("com.example.v1.Gadget");
    expect(JSON.parse(textOf(file?.json()))).toEqual(file?.document());
  });
});

test("descriptions are in the documents, and change their digests", () => {
  const description = "A map of texts.";
  const definitions = { "io.k8s.api.core.v1.ConfigMap": { description, type: "object", properties: {} } };
  const described = openApiFiles(view, "with enums", new OpenApiDescriptions({ definitions }));
  const plain = openApiFiles(view, "with enums", undefined);
  for (const of of ["api/v1", path]) {
    expect(described.v3(of)?.hash).toMatch(hash);
    expect(described.v3(of)?.hash).not.toBe(plain.v3(of)?.hash);
  }
  expect(textOf(described.v3("api/v1")?.json())).toContain(`"description":"${description}"`);
  expect(textOf(plain.v3("api/v1")?.json())).not.toContain(description);
  expect(textOf(described.v2().json())).toContain(`"description":"${description}"`);
  expect(described.v2().hash).not.toBe(plain.v2().hash);
  expect(openApiFiles(view, "with enums", new OpenApiDescriptions({ definitions: {} })).v2().hash).not.toBe(
    described.v2().hash,
  );
});
