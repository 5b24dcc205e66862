import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { viewOf } from "../../../test/api-view.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { Release } from "../../apimachinery/release.ts";
import type { OpenApiEnums } from "./openapi-definitions.ts";
import { openApiDocuments } from "./openapi-documents.ts";

const everything = new Map([["api/all", true]]);

/** The structure of every type of 1.32, without descriptions. */
const reference = JSON.parse(
  readFileSync(new URL("../../../test/conformance/data/schema-1.32.json", import.meta.url), "utf8"),
).definitions as { readonly [name: string]: JsonObject };

/** The reasons for differences from the reference. */
const reasons: readonly (readonly [key: string, reason: string])[] = [
  ["enum", "the published document is made with OpenAPIEnums off, which is on by default"],
  ["x-kubernetes-unions", "the reference leaves unions out; the published document has them"],
  ["default", "v2 has no defaults; the reference took the ones that say something from v3"],
];

test("definitions of 1.32 are those of the published document, except for listed reasons", () => {
  const published = definitionsOf("1.32");
  const explained = new Set(reasons.map(([key]) => key));
  expect(Object.keys(published)).toEqual(Object.keys(reference).sort());
  for (const [name, definition] of Object.entries(reference)) {
    expect(without(published[name], explained), name).toEqual(without(definition, explained));
  }
});

test("v3 has the defaults of the reference, and the zero values of required fields", () => {
  const view = viewOf({ release: "1.32", runtimeConfig: everything });
  const schemas = Object.assign(
    {},
    ...openApiDocuments(view).v3Paths.map((path) => schemasOf(openApiDocuments(view).v3(path))),
  );
  const ours: { [path: string]: JsonValue } = {};
  const theirs: { [path: string]: JsonValue } = {};
  for (const [name, definition] of Object.entries(reference)) collectDefaults(definition, name, theirs);
  for (const [name, schema] of Object.entries(schemas)) collectDefaults(schema as JsonValue, name, ours);
  // The reference is of a 1.33 server, the first with this default.
  delete theirs["io.k8s.api.core.v1.ReplicationControllerSpec.replicas"];
  const saying = Object.entries(ours).filter(([, value]) => !isZero(value));
  expect(Object.fromEntries(saying)).toEqual(theirs);
  expect(Object.values(ours).filter(isZero).length).toBeGreaterThan(1000);
});

test("v3 definitions are the v2 definitions, with defaults and with references wrapped", () => {
  const view = viewOf({ release: "1.32", runtimeConfig: everything });
  const v2 = definitionsOf("1.32");
  const differing = new Set([
    "io.k8s.apimachinery.pkg.api.resource.Quantity",
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
  ]);
  for (const path of openApiDocuments(view).v3Paths) {
    for (const [name, schema] of Object.entries(schemasOf(openApiDocuments(view).v3(path)))) {
      if (!differing.has(name)) expect(toV2(schema), `${path} ${name}`).toEqual(v2[name]);
    }
  }
});

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const metaRef = `#/components/schemas/${meta}`;

describe("v3 properties", () => {
  test.each<[title: string, release: Release, type: string, property: string, expected: JsonObject]>([
    [
      "a required number has its zero value",
      "1.32",
      "core.v1.ContainerPort",
      "containerPort",
      { type: "integer", format: "int32", default: 0 },
    ],
    [
      "a marked default and an enum",
      "1.32",
      "core.v1.ContainerPort",
      "protocol",
      { type: "string", default: "TCP", enum: ["SCTP", "TCP", "UDP"] },
    ],
    ["an optional text has none", "1.32", "core.v1.ContainerPort", "name", { type: "string" }],
    [
      "a structure that is always there defaults to an empty one",
      "1.32",
      "core.v1.Pod",
      "spec",
      { default: {}, allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.PodSpec" }] },
    ],
    [
      "a pointer to a structure has no default",
      "1.32",
      "core.v1.PodSpec",
      "affinity",
      { allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.Affinity" }] },
    ],
    [
      "the values of a map have their zero value",
      "1.32",
      "core.v1.PodSpec",
      "nodeSelector",
      {
        type: "object",
        additionalProperties: { type: "string", default: "" },
        "x-kubernetes-map-type": "atomic",
      },
    ],
    [
      "quantities have no zero value",
      "1.29",
      "core.v1.ResourceRequirements",
      "limits",
      {
        type: "object",
        additionalProperties: {
          $ref: "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity",
        },
      },
    ],
    [
      "until 1.28 quantities default to an empty object",
      "1.28",
      "core.v1.ResourceRequirements",
      "limits",
      {
        type: "object",
        additionalProperties: {
          default: {},
          allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity" }],
        },
      },
    ],
    ["enums of pointers begin with 1.27", "1.26", "core.v1.PodSpec", "preemptionPolicy", { type: "string" }],
    [
      "enums of pointers are there in 1.27",
      "1.27",
      "core.v1.PodSpec",
      "preemptionPolicy",
      { type: "string", enum: ["Never", "PreemptLowerPriority"] },
    ],
    [
      "enums of elements begin with 1.30",
      "1.29",
      "core.v1.ServiceSpec",
      "ipFamilies",
      { type: "array", items: { type: "string", default: "" }, "x-kubernetes-list-type": "atomic" },
    ],
  ])("%s", (_title, release, type, property, expected) => {
    expect(propertyOf(release, "api/v1", `io.k8s.api.${type}`, property)).toEqual(expected);
  });

  test("a field without a description upstream is a plain reference", () => {
    const packageName = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";
    const path = "apis/apiextensions.k8s.io/v1";
    expect(propertyOf("1.32", path, `${packageName}.JSONSchemaProps`, "not")).toEqual({
      $ref: `#/components/schemas/${packageName}.JSONSchemaProps`,
    });
  });

  test("up to 1.28 the creation time defaults to an empty object", () => {
    const time = { allOf: [{ $ref: `${metaRef}.Time` }] };
    expect(propertyOf("1.28", "api/v1", `${meta}.ObjectMeta`, "creationTimestamp")).toEqual({
      default: {},
      ...time,
    });
    expect(propertyOf("1.29", "api/v1", `${meta}.ObjectMeta`, "creationTimestamp")).toEqual(time);
  });
});

test("enums depend on their gate", () => {
  const protocol = (release: Release, enums: OpenApiEnums): JsonValue | undefined => {
    const { properties } = definitionsOf(release, enums)["io.k8s.api.core.v1.ContainerPort"] ?? {};
    return isJsonObject(properties) ? properties.protocol : undefined;
  };
  expect(protocol("1.24", "without enums")).toEqual({ type: "string" });
  expect(protocol("1.23", "with enums")).toEqual({ type: "string", enum: ["SCTP", "TCP", "UDP"] });
});

function definitionsOf(
  release: Release,
  enums: OpenApiEnums = "with enums",
): { readonly [name: string]: JsonObject } {
  const { definitions } = openApiDocuments(viewOf({ release, runtimeConfig: everything }), enums).v2();
  return definitions as { readonly [name: string]: JsonObject };
}

function schemasOf(document: JsonObject | undefined): { readonly [name: string]: JsonObject } {
  const components = document?.components as { schemas?: { readonly [name: string]: JsonObject } };
  return components.schemas ?? {};
}

function propertyOf(release: Release, path: string, type: string, property: string): JsonValue | undefined {
  const schema = schemasOf(openApiDocuments(viewOf({ release, runtimeConfig: everything })).v3(path))[type];
  const properties = schema?.properties;
  return isJsonObject(properties) ? properties[property] : undefined;
}

/** The schema without some keywords. The names of properties are not keywords. */
function without(value: JsonValue | undefined, keywords: ReadonlySet<string>): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item: JsonValue) => without(item, keywords) as JsonValue);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !keywords.has(key));
  return Object.fromEntries(
    kept.map(([key, item]) => {
      if (key !== "properties" || !isJsonObject(item)) return [key, without(item, keywords) as JsonValue];
      const properties = Object.entries(item).map(([name, property]) => [name, without(property, keywords)]);
      return [key, Object.fromEntries(properties)];
    }),
  );
}

function collectDefaults(value: JsonValue, path: string, into: { [path: string]: JsonValue }): void {
  if (!isJsonObject(value)) return;
  const { default: own, properties, items, additionalProperties } = value;
  if (own !== undefined) into[path] = own;
  if (isJsonObject(properties)) {
    for (const [name, property] of Object.entries(properties))
      collectDefaults(property, `${path}.${name}`, into);
  }
  if (items !== undefined) collectDefaults(items, `${path}[]`, into);
  if (additionalProperties !== undefined) collectDefaults(additionalProperties, `${path}{}`, into);
}

function isZero(value: JsonValue): boolean {
  return (
    value === "" || value === 0 || value === false || (isJsonObject(value) && Object.keys(value).length === 0)
  );
}

/** The v2 form of a v3 schema. */
function toV2(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(toV2);
  if (typeof value === "string") return value.replace("#/components/schemas/", "#/definitions/");
  if (!isJsonObject(value)) return value;
  const { default: _default, allOf, properties, ...rest } = value;
  const reference = Array.isArray(allOf) && isJsonObject(allOf[0]) ? allOf[0] : {};
  const converted: JsonObject = Object.fromEntries(
    Object.entries({ ...reference, ...rest }).map(([key, item]) => [key, toV2(item)]),
  );
  if (!isJsonObject(properties)) return converted;
  const fields = Object.entries(properties).map(([name, property]) => [name, toV2(property)]);
  return { ...converted, properties: Object.fromEntries(fields) };
}
