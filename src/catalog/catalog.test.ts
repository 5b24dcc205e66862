import { describe, expect, test } from "vitest";
import { catalogOf } from "./catalog.ts";
import { catalogFiles } from "./catalog-files.ts";
import type { FieldSchema, Schema, StructSchema } from "./type-schema.ts";

const releases = Array.from({ length: 21 }, (_, index) => `1.${16 + index}`);

const everyGroupVersion = catalogFiles.keys().map((key) => {
  const [group = "", version = ""] = key.split("/");
  return { group: group === "core" ? "" : group, version };
});

/** Resolves every part of a schema, which throws if a reference is wrong. */
function walk(schema: Schema, seen: Set<Schema>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema.type === "list") walk(schema.items, seen);
  if (schema.type === "map") walk(schema.values, seen);
  if (schema.type === "either") for (const alternative of schema.alternatives) walk(alternative, seen);
  if (schema.type === "struct" || schema.type === "either") {
    const names = schema.fields.map((field: FieldSchema) => field.name);
    expect(new Set(names).size, `${schema.name} names a field twice`).toBe(names.length);
    for (const field of schema.fields) walk(field.schema, seen);
    const numbers = schema.message.map(({ number }) => number);
    expect(new Set(numbers).size, `${schema.name} gives a number twice`).toBe(numbers.length);
  }
}

describe.each(releases)("release %s", (release) => {
  const catalog = catalogOf({ release });

  test("resolves every type of every group and version", () => {
    const seen = new Set<Schema>();
    for (const gv of everyGroupVersion) for (const schema of catalog.types(gv).values()) walk(schema, seen);
    expect(seen.size).toBeGreaterThan(900);
  });

  test("has the kinds of all served resources, and of their lists", () => {
    for (const gv of catalog.groupVersions()) {
      const resources = catalog.resources(gv);
      expect(resources.length).toBeGreaterThan(0);
      for (const resource of resources) {
        expect(catalog.resource({ ...gv, resource: resource.resource })).toBe(resource);
        expect(catalog.kind({ ...gv, kind: resource.kind }), resource.kind).toBeDefined();
        if (resource.verbs.includes("list")) {
          const list = catalog.kind({ ...gv, kind: `${resource.kind}List` });
          expect(list?.field("items")?.schema.type, resource.kind).toBe("list");
          expect(list?.field("metadata")?.schema).toBe(
            catalog.type({ group: "meta", version: "v1" }, "ListMeta"),
          );
        }
        for (const [name, { gvk }] of resource.subresources) {
          expect(catalog.kind(gvk), `${resource.resource}/${name}: ${gvk.kind}`).toBeDefined();
        }
      }
    }
  });
});

function struct(release: string, group: string, version: string, name: string): StructSchema {
  const schema = catalogOf({ release }).type({ group, version }, name);
  if (schema?.type !== "struct") throw new Error(`${name} is no structure in ${release}`);
  return schema;
}

const names = ({ fields }: StructSchema): readonly string[] => fields.map(({ name }) => name);

describe("a field", () => {
  test.each([
    ["", "v1", "PodSpec", "ephemeralContainers", 16, undefined],
    ["", "v1", "PodSpec", "resources", 32, undefined],
    ["", "v1", "PodSpec", "serviceAccount", 16, undefined],
    ["apps", "v1", "StatefulSetSpec", "minReadySeconds", 22, undefined],
    ["meta", "v1", "ObjectMeta", "clusterName", 16, 25],
    ["meta.k8s.io", "v1", "ManagedFieldsEntry", "subresource", 22, undefined],
  ] as const)("%s/%s %s.%s is there from 1.%i until %s", (group, version, name, field, first, end) => {
    for (let minor = 16; minor <= 36; minor++) {
      const isThere = struct(`1.${minor}`, group, version, name).field(field) !== undefined;
      expect(isThere, `1.${minor}`).toBe(minor >= first && (end === undefined || minor < end));
    }
  });

  test.each([
    ["1.29", undefined, []],
    ["1.30", "map", ["type"]],
  ] as const)("of a list has in %s the list type %s", (release, list, keys) => {
    const conditions = struct(release, "apps", "v1", "DeploymentStatus").field("conditions");
    expect(conditions).toMatchObject({ list, keys, patchStrategy: ["merge"], patchMergeKey: "type" });
  });

  test("is as of the release: the nearest later state applies", () => {
    const token = (release: string) =>
      struct(release, "authentication.k8s.io", "v1", "TokenRequestSpec").field("audiences");
    expect(token("1.29")).toMatchObject({ required: true, emit: true, list: undefined });
    expect(token("1.30")).toMatchObject({ required: true, emit: true, list: "atomic" });
    expect(token("1.36")).toMatchObject({ required: false, emit: true, list: "atomic" });
  });

  test("has the type of its release", () => {
    const resources = (release: string) =>
      struct(release, "", "v1", "PersistentVolumeClaimSpec").field("resources")?.schema;
    expect(resources("1.28")).toMatchObject({ type: "struct", name: "ResourceRequirements" });
    expect(resources("1.29")).toMatchObject({ type: "struct", name: "VolumeResourceRequirements" });
  });

  test.each([
    ["", "ObjectMeta", "creationTimestamp", { emit: true, pointer: false }],
    ["", "ObjectMeta", "deletionTimestamp", { emit: false, pointer: true }],
    ["", "ObjectMeta", "name", { emit: false, pointer: false }],
    ["apps", "DeploymentSpec", "replicas", { emit: false, pointer: true }],
    ["apps", "DeploymentSpec", "selector", { emit: true, pointer: true, required: true }],
    ["apps", "DeploymentSpec", "template", { emit: true, pointer: false, required: true }],
    ["apps", "Deployment", "spec", { emit: true, pointer: false, required: false }],
    ["apps", "RollingUpdateDeployment", "maxSurge", { emit: false, pointer: true }],
    ["", "PodSpec", "containers", { emit: true, pointer: false, required: true }],
    ["", "ContainerPort", "protocol", { default: "TCP", enum: ["TCP", "UDP", "SCTP"] }],
    ["", "Volume", "hostPath", { declaredBy: "VolumeSource", pointer: true }],
  ])("%s %s.%s is written as Go writes it", (group, name, field, expected) => {
    const home = name === "ObjectMeta" ? "meta" : group;
    expect(struct("1.32", home, "v1", name).field(field)).toMatchObject(expected);
  });
});

describe("a structure", () => {
  test("has the fields of an inlined structure in its place", () => {
    expect(names(struct("1.32", "", "v1", "Volume")).slice(0, 3)).toEqual(["name", "hostPath", "emptyDir"]);
    expect(names(struct("1.22", "", "v1", "Probe")).slice(0, 4)).toEqual([
      "exec",
      "httpGet",
      "tcpSocket",
      "initialDelaySeconds",
    ]);
  });

  test("nests inlined structures in protobuf, with numbers in ascending order", () => {
    const [name, source] = struct("1.32", "", "v1", "Volume").message;
    expect(name).toMatchObject({ number: 1, content: { name: "name" } });
    expect(source).toMatchObject({ number: 2, content: { inline: { name: "VolumeSource" } } });
    for (const type of catalogOf({ release: "1.32" }).types({ group: "", version: "v1" }).values()) {
      if (type.type !== "struct") continue;
      const numbers = type.message.map(({ number }) => number);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  });

  test("has no message when the type has no protobuf form", () => {
    expect(struct("1.32", "meta", "v1", "Table").message).toEqual([]);
  });

  test("may contain itself", () => {
    const props = struct("1.32", "apiextensions.k8s.io", "v1", "JSONSchemaProps");
    expect(props.field("not")?.schema).toBe(props);
    const items = props.field("items")?.schema;
    if (items?.type !== "either") throw new Error("items is one or many");
    expect(items.alternatives).toEqual([props, { type: "list", items: props, message: undefined }]);
    expect(items.message.map(({ number, content }) => [number, "name" in content && content.name])).toEqual([
      [1, "schema"],
      [2, "jSONSchemas"],
    ]);
  });

  test("knows its unions and whether it is atomic", () => {
    const selector = (release: string) => struct(release, "meta", "v1", "LabelSelector").mapType;
    expect([selector("1.19"), selector("1.20")]).toEqual([undefined, "atomic"]);
    expect(struct("1.32", "", "v1", "SeccompProfile").unions).toEqual([
      { discriminator: "type", fields: { localhostProfile: "LocalhostProfile" } },
    ]);
  });

  test("does not take inherited properties of JavaScript objects for fields or types", () => {
    const catalog = catalogOf({ release: "1.32" });
    expect(struct("1.32", "", "v1", "Pod").field("constructor")).toBeUndefined();
    for (const name of ["constructor", "__proto__", "toString"]) {
      expect(catalog.type({ group: "", version: "v1" }, name)).toBeUndefined();
      expect(catalog.kind({ group: "", version: "v1", kind: name })).toBeUndefined();
      expect(catalog.resource({ group: "", version: "v1", resource: name })).toBeUndefined();
    }
  });
});

test("a named list is a separate message in protobuf", () => {
  expect(
    catalogOf({ release: "1.32" }).type({ group: "authentication.k8s.io", version: "v1" }, "ExtraValue"),
  ).toEqual({
    type: "list",
    items: { type: "scalar", scalar: "string" },
    message: { name: "ExtraValue", proto: 1 },
  });
});

describe("a kind", () => {
  const catalog = catalogOf({ release: "1.32" });
  test.each([
    ["v1", "Pod", true],
    ["v1", "PodList", true],
    ["v1", "PodSpec", false],
    ["v1", "Status", true],
    ["v1", "List", true],
    ["apps/v1", "List", false],
    ["apps/v1", "DeleteOptions", true],
    ["ex.io/v1", "DeleteOptions", true],
    ["apps/v1", "WatchEvent", true],
    ["meta.k8s.io/v1", "Table", true],
    ["meta.k8s.io/v1beta1", "Table", true],
    ["meta.k8s.io/v1beta1", "PartialObjectMetadataList", true],
    ["apps/v1", "Table", false],
    ["apps/v1beta1", "Deployment", true],
    ["autoscaling/v1", "Scale", true],
    ["admission.k8s.io/v1", "AdmissionReview", true],
    ["apidiscovery.k8s.io/v2", "APIGroupDiscoveryList", true],
    ["resource.k8s.io/v1", "ResourceClaim", false],
  ])("%s %s is known in 1.32: %s", (apiVersion, kind, isKnown) => {
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    expect(catalog.kind({ group, version, kind }) !== undefined).toBe(isKnown);
    const listed = new Map(catalog.kindsOf({ group, version }));
    expect(listed.get(kind)).toBe(catalog.kind({ group, version, kind }));
  });

  test("of meta.k8s.io/v1beta1 has its own numbers where it differs", () => {
    const numbers = (version: string) =>
      catalog
        .kind({ group: "meta.k8s.io", version, kind: "PartialObjectMetadataList" })
        ?.message.map(({ number, content }) => [number, "name" in content && content.name]);
    expect(numbers("v1")).toEqual([
      [1, "metadata"],
      [2, "items"],
    ]);
    expect(numbers("v1beta1")).toEqual([
      [1, "items"],
      [2, "metadata"],
    ]);
  });
});

describe("a resource", () => {
  test("has the releases that introduced, deprecated and removed it, and its replacement", () => {
    const resource = (release: string, group: string, version: string, name: string) =>
      catalogOf({ release }).resource({ group, version, resource: name })?.lifecycle;
    expect(resource("1.31", "flowcontrol.apiserver.k8s.io", "v1beta3", "flowschemas")).toEqual({
      introduced: "1.26",
      deprecated: "1.29",
      removed: "1.32",
      replacement: { group: "flowcontrol.apiserver.k8s.io", version: "v1", kind: "FlowSchema" },
    });
    expect(resource("1.21", "networking.k8s.io", "v1beta1", "ingressclasses")).toMatchObject({
      replacement: { kind: "IngressClassList" },
    });
    expect(resource("1.32", "apps", "v1", "deployments")).toEqual({
      introduced: "1.16",
      deprecated: undefined,
      removed: undefined,
      replacement: undefined,
    });
  });

  test("has the verbs and kinds of its release", () => {
    const core = (release: string, resource: string) =>
      catalogOf({ release }).resource({ group: "", version: "v1", resource });
    expect(core("1.22", "services")?.verbs).not.toContain("deletecollection");
    expect(core("1.23", "services")?.verbs).toContain("deletecollection");
    expect(core("1.21", "pods")?.subresources.get("eviction")?.gvk).toEqual({
      group: "policy",
      version: "v1beta1",
      kind: "Eviction",
    });
    expect(core("1.32", "pods")?.subresources.get("exec")?.connect).toEqual(["GET", "POST"]);
  });
});

describe("catalogOf", () => {
  test.each(["1.32", "v1.32", "1.32.0", "v1.32.11"])(
    "takes %s for 1.32, and gives the same catalog",
    (release) => {
      expect(catalogOf({ release })).toBe(catalogOf({ release: "1.32" }));
      expect(catalogOf({ release }).release).toBe("1.32");
    },
  );

  test.each(["1.15", "1.37", "2.0", "1.032", "1.32.", "latest", ""])("does not know %j", (release) => {
    expect(() => catalogOf({ release })).toThrow(
      new Error(`release ${JSON.stringify(release)} is not supported: choose one from 1.16 to 1.36`),
    );
  });

  test("gives the same catalog for the same runtime configuration in any order", () => {
    const of = (...pairs: [string, boolean][]) =>
      catalogOf({ release: "1.32", runtimeConfig: new Map(pairs) });
    expect(of(["api/all", true], ["batch/v1", false])).toBe(of(["batch/v1", false], ["api/all", true]));
    expect(of()).toBe(catalogOf({ release: "1.32" }));
    expect(of(["api/all", true])).not.toBe(of());
  });
});
