import { describe, expect, test } from "vitest";
import { listAt, structAt } from "../../../src/apimachinery/fields.ts";
import type { JsonObject, JsonValue } from "../../../src/apimachinery/json.ts";
import { type Cluster, createCluster } from "../../../src/index.ts";
import { type Answer, gadget, gadgetDefinition, gadgetsPath, gadgetVersion, send } from "./gadgets.ts";

const resource = { type: "object", "x-kubernetes-embedded-resource": true };
const open = { "x-kubernetes-preserve-unknown-fields": true };
const embedding = { type: "object", properties: { base: { ...resource, ...open } } };
const place = "spec.base";
const strictly = `${gadgetsPath("v1")}?fieldValidation=Strict`;

function embedded(base: JsonValue, name = "a"): JsonObject {
  return gadget(name, { base });
}

function configMap(metadata: JsonValue, more: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata, ...more };
}

async function withGadgets(spec: JsonObject): Promise<Cluster> {
  const cluster = createCluster({ objects: [gadgetDefinition([gadgetVersion("v1", spec)])] });
  await cluster.settle();
  return cluster;
}

async function created(base: JsonValue, path = gadgetsPath("v1")): Promise<Answer> {
  await using cluster = await withGadgets(embedding);
  return await send(cluster, "POST", path, embedded(base));
}

function causesOf({ body }: Answer): readonly string[] {
  return listAt(body, "details", "causes").map(({ field, message }) => `${field}: ${message}`);
}

describe("an embedded resource", () => {
  test("has the metadata that Go's structure holds, and keeps the rest", async () => {
    const metadata = { name: "b", unknown: 1, creationTimestamp: null, labels: { a: "b" }, generation: 0 };
    const { code, body } = await created(configMap(metadata, { data: { c: null, d: [1] } }));
    expect([code, structAt(body, "spec")["base"]]).toEqual([
      201,
      configMap({ labels: { a: "b" }, name: "b" }, { data: { c: null, d: [1] } }),
    ]);
  });

  test("has its unknown metadata refused strictly", async () => {
    const { code, body } = await created(configMap({ name: "b", unknown: 1 }), strictly);
    expect([code, body["message"]]).toEqual([
      400,
      'Gadget in version "v1" cannot be handled as a Gadget: strict decoding error: unknown field "spec.base.metadata.unknown"',
    ]);
  });

  test.each<[base: JsonObject, problem: string]>([
    [{ apiVersion: 42, kind: "A" }, `${place}.apiVersion: Invalid value: 42: must be a string`],
    [{ apiVersion: "v1", kind: null }, `${place}.kind: Invalid value: "null": must be a string`],
    [
      configMap({ labels: 1 }),
      `${place}.metadata: Invalid value: map[string]interface {}{"labels":1}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string`,
    ],
    [
      configMap("no"),
      `${place}.metadata: Invalid value: "no": json: cannot unmarshal string into Go value of type v1.ObjectMeta`,
    ],
  ])("cannot be decoded with a wrong type: %j", async (base, problem) => {
    const { code, body } = await created(base);
    expect([code, body["message"]]).toEqual([
      400,
      `Gadget in version "v1" cannot be handled as a Gadget: ${problem}`,
    ]);
  });

  test("cannot be patched to a wrong type", async () => {
    await using cluster = await withGadgets(embedding);
    await send(cluster, "POST", gadgetsPath("v1"), embedded(configMap({ name: "b" })));
    const patch = { spec: { base: { kind: 1 } } };
    const merge = "application/merge-patch+json";
    const answer = await send(cluster, "PATCH", gadgetsPath("v1", "a"), patch, merge);
    expect(answer.code).toBe(422);
    expect(String(answer.body["message"])).toContain(`${place}.kind: Invalid value: 1: must be a string`);
  });

  test.each<[title: string, base: JsonObject, causes: readonly string[]]>([
    ["that is empty", {}, [`${place}.apiVersion: Required value`, `${place}.kind: Required value`]],
    ["with a version and a kind", { apiVersion: "foo/v1", kind: "Foo" }, []],
    ["without a name", configMap({ namespace: "kube-system" }), []],
    ["without a namespace", configMap({ name: "foo" }), []],
    [
      "with an empty type",
      { apiVersion: "", kind: "" },
      [
        `${place}.apiVersion: Invalid value: "": must not be empty`,
        `${place}.kind: Invalid value: "": must not be empty`,
      ],
    ],
    [
      "with a malformed type",
      { apiVersion: "a/b/c", kind: "foo.bar-com" },
      [
        `${place}.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`,
        `${place}.kind: Invalid value: "foo.bar-com": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
    ],
  ])("%s", async (_title, base, causes) => {
    const answer = await created(base);
    expect([answer.code, causesOf(answer)]).toEqual([causes.length === 0 ? 201 : 422, causes]);
  });

  test("has its metadata validated", async () => {
    const invalid = { name: "..", namespace: "$$$", labels: { "#": "#" }, annotations: { "#": "#" } };
    const fields = listAt((await created(configMap(invalid))).body, "details", "causes").map(
      ({ field }) => field,
    );
    expect(fields.sort()).toEqual([
      `${place}.metadata.annotations`,
      `${place}.metadata.labels`,
      `${place}.metadata.labels`,
      `${place}.metadata.name`,
      `${place}.metadata.namespace`,
    ]);
  });

  test("that a definition declares later loses on reads what is not metadata", async () => {
    await using cluster = await withGadgets({ type: "object", ...open });
    const base = configMap({ name: "b", namespace: ["c"], labels: { d: 4 }, x: 1 }, { kind: 42 });
    await send(cluster, "POST", gadgetsPath("v1"), embedded(base));
    await cluster.apply(gadgetDefinition([gadgetVersion("v1", embedding)]), { force: true });
    await cluster.settle();
    const { body } = await send(cluster, "GET", gadgetsPath("v1", "a"));
    expect(structAt(body, "spec")["base"]).toEqual({ apiVersion: "v1", metadata: { name: "b" } });
  });

  test("is checked by the version to which an object is converted", async () => {
    const versions = [gadgetVersion("v1", { type: "object", ...open }), gadgetVersion("v2", embedding)];
    await using cluster = createCluster({ objects: [gadgetDefinition(versions)] });
    await cluster.settle();
    await send(cluster, "POST", gadgetsPath("v1"), embedded({ kind: 42 }));
    expect(await send(cluster, "GET", gadgetsPath("v2", "a"))).toMatchObject({
      code: 500,
      body: { message: `${place}.kind: Invalid value: 42: must be a string` },
    });
    expect((await send(cluster, "GET", gadgetsPath("v1", "a"))).code).toBe(200);
  });
});

describe("a default", () => {
  const defaultPath = "spec.validation.openAPIV3Schema.properties[spec].properties[base]";
  const metadata = (more: JsonObject): JsonObject => ({
    ...resource,
    properties: { metadata: { type: "object", properties: more } },
  });

  test.each<[title: string, base: JsonObject, causes: readonly string[]]>([
    [
      "that is a resource is accepted",
      { ...resource, ...open, default: { apiVersion: "v1", kind: "A" } },
      [],
    ],
    [
      "that is no resource is refused",
      { ...resource, ...open, default: { kind: "A" } },
      [`${defaultPath}.default.apiVersion: Required value`],
    ],
    [
      "whose type is none is refused",
      { ...resource, ...open, default: { apiVersion: "v1", kind: 1 } },
      [`${defaultPath}.default.kind: Invalid value: 1: must be a string`],
    ],
    ["of a name is accepted", metadata({ name: { type: "string", default: "a" } }), []],
    [
      "of an invalid name is refused",
      metadata({ name: { type: "string", default: "a/b" } }),
      [
        `${defaultPath}.properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain '/'`,
      ],
    ],
    [
      "of a name with a wrong type is refused",
      metadata({ name: { type: "integer", default: 1 } }),
      [
        `${defaultPath}.properties[metadata].properties[name].default: Invalid value: 1: must result in valid metadata: metadata: Invalid value: map[string]interface {}{"name":1}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string`,
      ],
    ],
    [
      "of an invalid finalizer is refused",
      metadata({ finalizers: { type: "array", items: { type: "string", default: "" } } }),
      [
        expect.stringMatching(
          /\[finalizers\]\.items\.default: Invalid value: "": must result in valid metadata: /,
        ),
      ],
    ],
  ])("%s", async (_title, base, causes) => {
    await using cluster = createCluster();
    const definition = gadgetDefinition([gadgetVersion("v1", { type: "object", properties: { base } })]);
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const answer = await send(cluster, "POST", path, definition);
    expect([answer.code, causesOf(answer)]).toEqual([causes.length === 0 ? 201 : 422, causes]);
  });
});
