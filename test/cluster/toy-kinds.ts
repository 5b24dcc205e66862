import { listAt, objectAt, structAt, textAt } from "../../src/apimachinery/fields.ts";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import type { KubeObject } from "../../src/apimachinery/object-meta.ts";
import type { ApiResource } from "../../src/catalog/api-resource.ts";
import { catalogOf } from "../../src/catalog/catalog.ts";
import type { ResourceFacts } from "../../src/catalog/resource-facts.ts";
import { structSchema } from "../../src/catalog/struct-schema.ts";
import type { FieldSchema, Schema, StructSchema } from "../../src/catalog/type-schema.ts";
import { ClusterCore } from "../../src/cluster/cluster-core.ts";
import { type ClusterOptions, completeOptions } from "../../src/cluster/options.ts";
import { Cluster } from "../../src/index.ts";
import type { KindDefinition } from "../../src/registry/contract/kind-definition.ts";
import { builtInSchema } from "../../src/schema/built-in-schema.ts";
import type { KindSource } from "../../src/served/served-api.ts";

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/** A cluster in which CustomResourceDefinitions declare kinds, all of which have the same toy schema. */
export function toyCluster(options: ClusterOptions = {}): Cluster {
  return new Cluster(new ClusterCore({ ...completeOptions(options), kindSources: [toyKinds] }));
}

/** Declares the kinds of CustomResourceDefinitions, ignoring their schemas. */
export const toyKinds: KindSource<KindDefinition> = {
  resource: { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" },
  kindsOf: (objects) => objects.map(toyKindOf),
};

const known = new WeakMap<KubeObject, KindDefinition>();

/** Returns the same definition as long as the CustomResourceDefinition does not change. */
function toyKindOf(object: KubeObject): KindDefinition {
  const definition = known.get(object) ?? toyKind(object);
  known.set(object, definition);
  return definition;
}

function toyKind(object: KubeObject): KindDefinition {
  const spec = structAt(object, "spec");
  const group = textAt(spec, "group");
  const versions = listAt(spec, "versions");
  const names = { resource: textAt(spec, "names", "plural"), kind: textAt(spec, "names", "kind") };
  return {
    group,
    ...names,
    served: {
      storageVersion: textAt(versions.find(({ storage }) => storage === true) ?? {}, "name"),
      versions: versions.map((version) => ({
        resource: resourceOf({ group, version: textAt(version, "name"), ...names }, spec),
        schema: builtInSchema(widgetSchema({ group, version: textAt(version, "name") }, names.kind)),
        facts: factsOf(group, names.resource),
        isServed: version["served"] === true,
      })),
    },
  };
}

type Named = Pick<ApiResource, "group" | "version" | "resource" | "kind">;

function resourceOf(named: Named, spec: JsonObject): ApiResource {
  const { group, version, kind } = named;
  const gvk = { group, version, kind };
  return {
    ...named,
    singular: kind.toLowerCase(),
    namespaced: spec["scope"] === "Namespaced",
    verbs,
    shortNames: [],
    categories: [],
    subresources: new Map([
      ["status", { name: "status", gvk, verbs: ["get", "patch", "update"], connect: [] }],
    ]),
    lifecycle: { introduced: "1.16", deprecated: undefined, removed: undefined, replacement: undefined },
  };
}

function factsOf(group: string, resource: string): ResourceFacts {
  return {
    storagePrefix: `/registry/${group}/${resource}`,
    fieldSelectors: ["metadata.name", "metadata.namespace"],
    resetFields: new Map([
      ["main", ["status"]],
      ["status", ["metadata", "spec"]],
    ]),
    createOnUpdate: false,
    unconditionalUpdate: false,
    deleteReturnsObject: false,
  };
}

const text: Schema = { type: "scalar", scalar: "string" };
const integer: Schema = { type: "scalar", scalar: "int32" };

function widgetSchema(gv: StructSchema["gv"], kind: string): StructSchema {
  const metadata = catalogOf({ release: "1.32" }).type({ group: "meta", version: "v1" }, "ObjectMeta");
  if (metadata === undefined) throw new Error("1.32 has no ObjectMeta");
  const spec = struct(gv, `${kind}Spec`, { color: text, size: integer });
  const status = struct(gv, `${kind}Status`, { phase: text });
  return structSchema({ ...struct(gv, kind, { metadata, spec, status }), typeMeta: true });
}

function struct(
  gv: StructSchema["gv"],
  name: string,
  schemas: { readonly [field: string]: Schema },
): StructSchema {
  const fields = Object.entries(schemas).map(([field, schema]) => fieldOf(name, field, schema));
  return structSchema({
    name,
    gv,
    typeMeta: false,
    fields,
    message: [],
    mapType: undefined,
    unions: [],
  });
}

function fieldOf(declaredBy: string, name: string, schema: Schema): FieldSchema {
  return {
    name,
    schema,
    declaredBy,
    required: false,
    emit: false,
    pointer: schema.type === "struct" && name !== "metadata",
    list: undefined,
    keys: [],
    mapType: undefined,
    patchStrategy: [],
    patchMergeKey: undefined,
    default: undefined,
    enum: [],
  };
}

/** The CustomResourceDefinition of widgets. */
export function widgets(versions: readonly string[] = ["v1"], stored = "v1"): JsonObject {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      versions: versions.map((name) => ({
        name,
        served: true,
        storage: name === stored,
        schema: { openAPIV3Schema },
      })),
    },
  };
}

/** A widget in the namespace `default`. */
export function widget(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name, namespace: "default", ...metadata },
    spec,
  };
}

/** The field managers of an object. */
export function managersOf(object: KubeObject): readonly string[] {
  return listAt(object, "metadata", "managedFields").map((entry) => textAt(entry, "manager"));
}

/** Part of an OpenAPI document or of discovery. */
export function partOf(document: JsonObject, ...path: readonly string[]): JsonObject | undefined {
  return objectAt(document, ...path);
}
