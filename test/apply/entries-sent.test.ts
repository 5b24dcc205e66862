import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/index.ts";
import { entriesOf } from "../arbitraries/owned-object.ts";
import { type Answer, ApplyServer, configMaps, configOf, deployments, patchTypes } from "./apply-server.ts";

let server: ApplyServer;
beforeEach(() => {
  server = new ApplyServer();
});
afterEach(() => server.cluster.close());

const at = `${configMaps}/c`;
const configMap = (more: JsonObject): JsonObject => configOf("v1", "ConfigMap", at, more);
const apply = (data: JsonObject, manager: string, query = ""): Promise<Answer> =>
  server.apply(at, configMap({ data }), manager, query);
const entry = (manager: string, fieldsV1: JsonObject): JsonObject => ({
  manager,
  operation: "Apply",
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1,
});

/** Ways to send managedFields, alone or with a change of the data. */
const ways: readonly [string, (managedFields: JsonValue, data?: JsonObject) => Promise<Answer>][] = [
  [
    "PUT",
    async (managedFields, data) => {
      const live = await server.get(at);
      const metadata = { name: "c", managedFields };
      return server.send("PUT", at, { ...live, metadata, ...(data && { data }) }, { manager: "w" });
    },
  ],
  [
    "a merge patch",
    (managedFields, data) =>
      server.send(
        "PATCH",
        at,
        { metadata: { managedFields }, ...(data && { data }) },
        { contentType: patchTypes.merge, manager: "w" },
      ),
  ],
  [
    "a strategic merge patch",
    (managedFields, data) =>
      server.send(
        "PATCH",
        at,
        { metadata: { managedFields }, ...(data && { data }) },
        { contentType: patchTypes.strategic, manager: "w" },
      ),
  ],
  [
    "a JSON patch",
    (managedFields, data) =>
      server.send(
        "PATCH",
        at,
        [
          { op: "replace", path: "/metadata/managedFields", value: managedFields },
          ...(data ? [{ op: "replace", path: "/data", value: data }] : []),
        ],
        { contentType: patchTypes.json, manager: "w" },
      ),
  ],
];

describe.each(ways)("managedFields in %s", (_way, send) => {
  beforeEach(async () => {
    await server.send("POST", configMaps, configMap({ data: { a: "1", b: "1" } }), { manager: "creator" });
    await apply({ a: "1" }, "me");
  });

  test.each<[string, JsonValue]>([
    ["one empty entry", [{}]],
    ["one entry with no values", [{ manager: "", operation: "", time: null }]],
    ["an empty list", []],
  ])("are reset by %s", async (_title, managedFields) => {
    const { resourceVersion } = (await server.get(at)).metadata;
    expect((await send(managedFields)).code).toBe(200);
    const after = await server.get(at);
    expect(after.metadata).not.toHaveProperty("managedFields");
    expect(after.metadata.resourceVersion).not.toBe(resourceVersion);
    expect(after).toMatchObject({ data: { a: "1", b: "1" } });
  });

  test("are reset by one empty entry together with a change, which then has no owner", async () => {
    await send([{}], { a: "2", b: "1" });
    const after = await server.get(at);
    expect(after).toMatchObject({ data: { a: "2" } });
    expect(entriesOf(after)).toEqual([]);
  });

  test("stay reset until the next apply", async () => {
    await send([{}]);
    const change = { contentType: patchTypes.merge, manager: "w" };
    await server.send("PATCH", at, { data: { a: "3" } }, change);
    expect(entriesOf(await server.get(at))).toEqual([]);
    expect((await apply({ a: "4" }, "me")).message).toBe(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
    );
    expect((await apply({ a: "3" }, "me")).code).toBe(200);
    expect(await server.owners(at)).toEqual({
      me: [".data.a"],
      "before-first-apply (Update v1)": [".data", ".data.a", ".data.b"],
    });
  });

  test.each<[string, JsonValue]>([
    ["null", null],
    ["two empty entries", [{}, {}]],
    ["an unknown operation", [{ manager: "x", operation: "Delete", apiVersion: "v1" }]],
    ["no version", [{ manager: "x", operation: "Apply", fieldsType: "FieldsV1" }]],
    ["an unknown type", [{ manager: "x", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV2" }]],
    ["nonsense", [entry("x", { a: {} })]],
  ])("with %s are ignored", async (_title, managedFields) => {
    const before = await server.get(at);
    expect((await send(managedFields)).code).toBe(200);
    expect(await server.get(at)).toEqual(before);
  });

  test("with valid entries replace the existing ones", async () => {
    await send([entry("x", { "f:data": { "f:b": {} } })]);
    expect(await server.owners(at)).toEqual({ x: [".data.b"] });
  });

  test("are sorted", async () => {
    await send([
      entry("x", { "f:data": { "f:z": {}, "f:b": {}, "f:a": {} }, "f:foo": {} }),
      entry("w", { "f:data": { "f:a": {} } }),
    ]);
    const entries = entriesOf(await server.get(at));
    expect(entries.map(({ manager }) => manager)).toEqual(["w", "x"]);
    expect(JSON.stringify(entries[1]?.["fieldsV1"])).toBe(
      JSON.stringify({ "f:data": { "f:a": {}, "f:b": {}, "f:z": {} }, "f:foo": {} }),
    );
  });

  test("apply before the change in the same request", async () => {
    await send([entry("x", { "f:data": { "f:a": {}, "f:b": {} } })], { a: "2", b: "1" });
    expect(await server.owners(at)).toEqual({ x: [".data.b"], "w (Update v1)": [".data.a"] });
  });
});

describe("managedFields sent", () => {
  test("through a subresource are ignored", async () => {
    const path = `${deployments}/d`;
    const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
    const spec = { selector: { matchLabels: { a: "b" } }, template };
    await server.apply(path, configOf("apps/v1", "Deployment", path, { spec }), "me");
    const before = await server.get(path);
    for (const subresource of ["status", "scale"]) {
      const sending = { contentType: patchTypes.merge, manager: "w" };
      const reset = { metadata: { managedFields: [{}] } };
      expect((await server.send("PATCH", `${path}/${subresource}`, reset, sending)).code).toBe(200);
    }
    expect(await server.get(path)).toEqual(before);
  });

  test("with a new object are kept, except for the fields that the create itself owns", async () => {
    const metadata = { name: "c", managedFields: [entry("x", { "f:data": { "f:a": {}, "f:z": {} } })] };
    await server.send("POST", configMaps, { metadata, data: { a: "1" } }, { manager: "creator" });
    expect(await server.owners(at)).toEqual({
      x: [".data.z"],
      "creator (Update v1)": [".data", ".data.a"],
    });
  });

  test("with a new object are ignored if they are empty", async () => {
    const metadata = { name: "c", managedFields: [{}] };
    await server.send("POST", configMaps, { metadata, data: { a: "1" } }, { manager: "creator" });
    expect(Object.keys(await server.owners(at))).toEqual(["creator (Update v1)"]);
  });
});

test("an object whose last owner gave up every field is tracked again after the next apply", async () => {
  await apply({ a: "1" }, "me");
  await server.apply(at, configMap({}), "me");
  expect((await server.get(at)).metadata).not.toHaveProperty("managedFields");
  await server.send("PATCH", at, { data: { b: "1" } }, { contentType: patchTypes.merge, manager: "w" });
  expect(await server.owners(at)).toEqual({});
  await apply({ b: "1" }, "me");
  expect(Object.keys(await server.owners(at))).toEqual(["me", "before-first-apply (Update v1)"]);
});

test("an applied empty map has an owner", async () => {
  await apply({}, "me");
  expect(await server.owners(at)).toEqual({ me: [".data"] });
});

describe("an object that kubectl applied client-side", () => {
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";
  const annotated = (data: JsonObject, applied: JsonObject = data): JsonObject =>
    configMap({
      metadata: {
        namespace: "default",
        annotations: { [annotation]: `${JSON.stringify(configMap({ data: applied }))}\n` },
      },
      data,
    });
  const create = (data: JsonObject, applied?: JsonObject) =>
    server.send("POST", configMaps, annotated(data, applied), { manager: "kubectl-client-side-apply" });
  const annotationOf = async () => (await server.get(at)).metadata.annotations?.[annotation];
  const clientSide = "kubectl-client-side-apply (Update v1)";

  test("is taken over by kubectl's server-side apply without force", async () => {
    await create({ a: "1", b: "1" });
    expect((await apply({ a: "2", b: "1" }, "kubectl")).code).toBe(200);
    expect(await server.owners(at)).toEqual({
      kubectl: [".data.a", ".data.b"],
      [clientSide]: [".data", ".data.b", ".metadata.annotations", `.metadata.annotations.${annotation}`],
    });
  });

  test("cannot be taken over by another manager", async () => {
    await create({ a: "1" });
    expect((await apply({ a: "2" }, "kubectl-edit")).message).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.a',
    );
  });

  test("keeps its annotation up to date only when kubectl applies it", async () => {
    await create({ a: "1" });
    await apply({ a: "1", b: "<2>" }, "kubectl");
    expect(await annotationOf()).toBe(
      '{"apiVersion":"v1","data":{"a":"1","b":"\\u003c2\\u003e"},"kind":"ConfigMap","metadata":{"name":"c"}}\n',
    );
    const before = await annotationOf();
    await apply({ c: "1" }, "other");
    expect(await annotationOf()).toBe(before);
  });

  test("is not created by a server-side apply", async () => {
    await apply({ a: "1" }, "kubectl");
    expect(await annotationOf()).toBeUndefined();
  });

  test("keeps fields that another client has changed since", async () => {
    await create({ a: "1", b: "1" });
    await server.send("PATCH", at, { data: { a: "5" } }, { contentType: patchTypes.merge, manager: "w" });
    expect((await apply({ a: "2", b: "2" }, "kubectl")).message).toBe(
      'Apply failed with 1 conflict: conflict with "w" using v1: .data.a',
    );
    expect((await apply({ a: "5", b: "2" }, "kubectl")).code).toBe(200);
  });

  test("gives up unchanged fields of any owner to kubectl", async () => {
    await create({ a: "1" });
    await apply({ a: "1" }, "other");
    expect((await apply({ a: "2" }, "kubectl")).code).toBe(200);
    expect(Object.keys(await server.owners(at))).not.toContain("other");
  });

  test.each<[string, JsonObject]>([
    ["of another version", { apiVersion: "v2", kind: "ConfigMap", data: { a: "1" } }],
    ["that does not match the type", { apiVersion: "v1", kind: "ConfigMap", data: { a: "1" }, foo: 1 }],
  ])("is not recognized by an annotation %s", async (_title, lastApplied) => {
    const metadata = { name: "c", annotations: { [annotation]: JSON.stringify(lastApplied) } };
    await server.send("POST", configMaps, { metadata, data: { a: "1" } }, { manager: "w" });
    expect((await apply({ a: "2" }, "kubectl")).code).toBe(409);
    await server.send(
      "PATCH",
      at,
      { metadata: { annotations: { [annotation]: "{" } } },
      { contentType: patchTypes.merge },
    );
    expect((await apply({ a: "2" }, "kubectl")).code).toBe(409);
  });

  test("loses its annotation when it becomes too large for it", async () => {
    await create({ a: "1" });
    expect((await apply({ a: "x".repeat(300_000) }, "kubectl")).code).toBe(200);
    expect(await annotationOf()).toBeUndefined();
  });

  test("has a single manager after its entry is migrated", async () => {
    await create({ a: "1", b: "1" });
    const managedFields = entriesOf(await server.get(at)).map((before) => ({
      ...before,
      manager: "kubectl",
      operation: "Apply",
    }));
    const migrate = [{ op: "replace", path: "/metadata/managedFields", value: managedFields }];
    await server.send("PATCH", at, migrate, { contentType: patchTypes.json, manager: "kubectl" });
    expect(Object.keys(await server.owners(at))).toEqual(["kubectl"]);
    await apply({ a: "1" }, "kubectl");
    expect(await server.get(at)).toMatchObject({ data: { a: "1" } });
    expect((await server.get(at))["data"]).not.toHaveProperty("b");
  });
});
