import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { entriesOf } from "../arbitraries/owned-object.ts";
import { ApplyServer, configMaps, configOf, deployments, patchTypes } from "./apply-server.ts";

let server: ApplyServer;
beforeEach(() => {
  server = new ApplyServer();
});
afterEach(() => server.cluster.close());

const at = `${configMaps}/c`;
const configMap = (more: JsonObject): JsonObject => configOf("v1", "ConfigMap", at, more);
const merge = { contentType: patchTypes.merge };

const deployment = configOf("apps/v1", "Deployment", "/d", {
  spec: {
    selector: { matchLabels: { app: "d" } },
    template: { metadata: { labels: { app: "d" } }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
});

describe("an entry is written by", () => {
  test("POST", async () => {
    const { object } = await server.send("POST", configMaps, configMap({ data: { a: "1" } }), {
      manager: "m",
    });
    expect(entriesOf(object)).toEqual([
      {
        manager: "m",
        operation: "Update",
        apiVersion: "v1",
        time: "2026-11-20T00:00:01Z",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { ".": {}, "f:a": {} } },
      },
    ]);
  });

  test("PUT, for the fields that it adds and changes; removed fields have no owner", async () => {
    await server.send("POST", configMaps, configMap({ data: { a: "1", b: "1", c: "1" } }), { manager: "m" });
    await server.send("PUT", at, configMap({ data: { a: "1", b: "2", d: "1" } }), { manager: "n" });
    expect(await server.owners(at)).toEqual({
      "m (Update v1)": [".data", ".data.a"],
      "n (Update v1)": [".data.b", ".data.d"],
    });
  });

  test.each<[string, string, JsonObject | JsonObject[]]>([
    ["a merge patch", patchTypes.merge, { data: { b: "1" } }],
    ["a strategic merge patch", patchTypes.strategic, { data: { b: "1" } }],
    ["a JSON patch", patchTypes.json, [{ op: "add", path: "/data/b", value: "1" }]],
  ])("%s", async (_how, contentType, body) => {
    await server.send("POST", configMaps, configMap({ data: { a: "1" } }), { manager: "m" });
    await server.send("PATCH", at, body, { manager: "n", contentType });
    expect(await server.owners(at)).toEqual({
      "m (Update v1)": [".data", ".data.a"],
      "n (Update v1)": [".data.b"],
    });
  });

  test("a PUT that creates the object", async () => {
    const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    const lease = configOf("coordination.k8s.io/v1", "Lease", "/l", { spec: { holderIdentity: "me" } });
    expect((await server.send("PUT", `${leases}/l`, lease, { manager: "m" })).code).toBe(201);
    expect(await server.owners(`${leases}/l`)).toEqual({
      "m (Update coordination.k8s.io/v1)": [".spec.holderIdentity"],
    });
  });

  test("the status subresource, with its name", async () => {
    await server.send("POST", deployments, deployment, { manager: "m" });
    const { object } = await server.send(
      "PATCH",
      `${deployments}/d/status`,
      { status: { replicas: 1 } },
      { ...merge, manager: "kubelet" },
    );
    expect(entriesOf(object).at(-1)).toMatchObject({
      manager: "kubelet",
      subresource: "status",
      fieldsV1: { "f:status": { "f:replicas": {} } },
    });
  });

  test("a subresource that writes a part of the object", async () => {
    const pods = "/api/v1/namespaces/default/pods";
    await server.send("POST", "/api/v1/namespaces/default/serviceaccounts", {
      metadata: { name: "default" },
    });
    const spec = { containers: [{ name: "c", image: "i" }] };
    expect((await server.send("POST", pods, { metadata: { name: "p" }, spec }, { manager: "m" })).code).toBe(
      201,
    );
    const debugging = { spec: { ephemeralContainers: [{ name: "debug", image: "d" }] } };
    const sending = { contentType: patchTypes.strategic, manager: "kubectl-debug" };
    expect((await server.send("PATCH", `${pods}/p/ephemeralcontainers`, debugging, sending)).code).toBe(200);
    const owners = await server.owners(`${pods}/p`);
    expect(owners["kubectl-debug (Update v1 through ephemeralcontainers)"]).toContain(
      '.spec.ephemeralContainers[name="debug"].image',
    );
  });

  test("a dry run, without storing it", async () => {
    await server.send("POST", configMaps, configMap({ data: { a: "1" } }), { manager: "m" });
    const dry = { ...merge, manager: "n", query: "dryRun=All" };
    const { object } = await server.send("PATCH", at, { data: { b: "1" } }, dry);
    expect(entriesOf(object).map(({ manager }) => manager)).toEqual(["m", "n"]);
    expect(Object.keys(await server.owners(at))).toEqual(["m (Update v1)"]);
  });
});

describe("no entry is written by", () => {
  const finalized = (name: string, ...finalizers: readonly string[]): JsonObject =>
    configOf("v1", "ConfigMap", `/${name}`, { metadata: { finalizers, labels: { go: "1" } } });

  test("a deletion that waits for finalizers, of one object or of a collection", async () => {
    await server.send("POST", configMaps, finalized("a", "example.com/a"), { manager: "m" });
    await server.send("POST", configMaps, finalized("b", "example.com/b"), { manager: "m" });
    const before = await server.owners(`${configMaps}/b`);
    await server.send("DELETE", `${configMaps}/a`);
    await server.send("DELETE", `${configMaps}?labelSelector=go%3D1&propagationPolicy=Orphan`);
    const a = await server.get(`${configMaps}/a`);
    const b = await server.get(`${configMaps}/b`);
    expect(a.metadata.deletionTimestamp).toBeDefined();
    expect(b.metadata.finalizers).toEqual(["example.com/b", "orphan"]);
    expect(await server.owners(`${configMaps}/b`)).toEqual(before);
  });

  test("a write of an object without fields, even if it has an empty list of them", async () => {
    const metadata = { name: "none", namespace: "default", managedFields: [] };
    const made = await server.cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata });
    expect(Object.keys(made.metadata)).not.toContain("managedFields");
  });

  test("a write that changes nothing", async () => {
    await server.send("POST", configMaps, configMap({ data: { a: "1" } }), { manager: "m" });
    const before = await server.get(at);
    await server.send("PUT", at, before, { manager: "n" });
    await server.send("PATCH", at, { data: { a: "1" } }, { ...merge, manager: "m" });
    await server.send("PATCH", at, [], { contentType: patchTypes.json, manager: "o" });
    expect(await server.get(at)).toEqual(before);
  });

  test("a write that contains only fields that the endpoint resets", async () => {
    await server.send("POST", deployments, deployment, { manager: "m" });
    const before = await server.get(`${deployments}/d`);
    const status = { ...merge, manager: "n" };
    await server.send("PATCH", `${deployments}/d`, { status: { replicas: 9 } }, status);
    await server.send("PATCH", `${deployments}/d/status`, { spec: { replicas: 9 } }, status);
    expect(await server.get(`${deployments}/d`)).toEqual(before);
  });
});

describe("the entry of a controller has the name of its program", () => {
  test("for objects that it creates", async () => {
    server = new ApplyServer({ controllers: ["root-ca-certificate-publisher-controller"] });
    await server.get("/api");
    await server.cluster.settle();
    const root = await server.get(`${configMaps}/kube-root-ca.crt`);
    expect(entriesOf(root)).toMatchObject([{ manager: "kube-controller-manager", operation: "Update" }]);
  });

  test("for fields that it changes; a removed finalizer has no owner", async () => {
    server = new ApplyServer({ controllers: ["garbage-collector-controller"] });
    const owner = configMap({ metadata: { finalizers: ["example.com/a", "orphan"] }, data: { a: "1" } });
    await server.send("POST", configMaps, owner, { manager: "m" });
    await server.send("DELETE", at);
    await server.cluster.settle();
    const left = await server.get(at);
    expect(left.metadata.finalizers).toEqual(["example.com/a"]);
    expect(entriesOf(left).map(({ manager, fieldsV1 }) => [manager, fieldsV1])).toEqual([
      [
        "m",
        {
          "f:data": { ".": {}, "f:a": {} },
          "f:metadata": { "f:finalizers": { ".": {}, 'v:"example.com/a"': {} } },
        },
      ],
    ]);
  });
});

describe("the manager is", () => {
  test.each<[string, string | undefined, string]>([
    ["the first part of the User-Agent", "kubectl/v1.32.0 (linux/amd64) kubernetes/70d3cc9", "kubectl"],
    ["the whole User-Agent if it has no parts", "my operator", "my operator"],
    ["unknown without one", "", "unknown"],
    ["unknown for one that begins with a slash", "/1.0", "unknown"],
    ["the User-Agent without unprintable characters", "a\tb c/1", "ab c"],
    ["at most 128 bytes long", `${"x".repeat(200)}/1`, "x".repeat(128)],
  ])("%s", async (_title, agent, manager) => {
    await server.send("POST", configMaps, configMap({ data: { a: "1" } }), {
      ...(agent !== undefined && { agent }),
    });
    expect(entriesOf(await server.get(at)).map((entry) => entry["manager"])).toEqual([manager]);
  });

  test("the parameter fieldManager, regardless of the User-Agent", async () => {
    const sending = { agent: "kubectl/1", manager: "me & you" };
    await server.send("POST", configMaps, configMap({ data: { a: "1" } }), sending);
    expect(Object.keys(await server.owners(at))).toEqual(["me & you (Update v1)"]);
  });

  test.each([
    ["too long", "x".repeat(129), "fieldManager: Too long: may not be more than 128 bytes"],
    [
      "with unprintable characters",
      "a\tb",
      'fieldManager: Invalid value: "a\\tb": invalid character U+0009 (at position 1)',
    ],
  ])("refused if it is %s", async (_title, manager, finding) => {
    const body = configMap({ data: { a: "1" } });
    for (const [method, path, kind] of [
      ["POST", configMaps, "CreateOptions"],
      ["PUT", at, "UpdateOptions"],
    ] as const) {
      expect(await server.send(method, path, body, { manager })).toMatchObject({
        code: 422,
        message: `${kind}.meta.k8s.io "" is invalid: ${finding}`,
      });
    }
  });
});

describe("the entries of updates", () => {
  const managers = async () => entriesOf(await server.get(at)).map(({ manager }) => manager);

  /** Writes as this many managers, each to its own key. */
  async function written(count: number): Promise<void> {
    await server.send("POST", configMaps, configMap({ data: { k0: "1" } }), { manager: "m0" });
    for (let i = 1; i < count; i++) {
      await server.send("PATCH", at, { data: { [`k${i}`]: "1" } }, { ...merge, manager: `m${i}` });
    }
  }

  test("are limited to ten; the oldest are merged into ancient-changes", async () => {
    await written(10);
    expect(await managers()).toEqual(Array.from({ length: 10 }, (_, i) => `m${i}`));
    await server.send("PATCH", at, { data: { k10: "1" } }, { ...merge, manager: "m10" });
    expect(await managers()).toEqual([
      "ancient-changes",
      ...Array.from({ length: 9 }, (_, i) => `m${i + 2}`),
    ]);
    const [ancient] = entriesOf(await server.get(at));
    expect(ancient).toEqual({
      manager: "ancient-changes",
      operation: "Update",
      apiVersion: "v1",
      time: "2026-11-20T00:00:02Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { ".": {}, "f:k0": {}, "f:k1": {} } },
    });
  });

  test("are merged further, one for each new entry", async () => {
    await written(13);
    expect(await server.owners(at)).toMatchObject({
      "ancient-changes (Update v1)": [".data", ".data.k0", ".data.k1", ".data.k2", ".data.k3"],
    });
    expect((await managers()).length).toBe(10);
  });

  test("are counted without the entries of applies", async () => {
    await written(10);
    for (const name of ["a1", "a2"]) {
      await server.apply(at, configMap({ data: { [name]: "1" } }), name);
    }
    expect((await managers()).length).toBe(12);
    expect(await managers()).not.toContain("ancient-changes");
  });

  test("are not merged by an apply", async () => {
    await written(10);
    const { resourceVersion } = (await server.get(at)).metadata;
    await server.apply(at, configMap({ data: { k0: "1" } }), "a");
    expect((await server.get(at)).metadata.resourceVersion).not.toBe(resourceVersion);
    expect((await managers()).length).toBe(11);
  });
});
