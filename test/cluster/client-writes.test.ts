import { beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster, type JsonObject } from "../../src/index.ts";
import { configMap, deployment, names, pod, refusalOf } from "./manifests.ts";

let cluster: Cluster;

beforeEach(() => {
  cluster = createCluster({ controllers: [] });
});

describe("create", () => {
  test("defaults, admits and validates the object", async () => {
    const created = await cluster.create(deployment("web"));
    expect(created["spec"]).toMatchObject({ replicas: 1, revisionHistoryLimit: 10 });
    const bare = await refusalOf(cluster.create(pod("p")));
    expect(bare.message).toContain(
      'error looking up service account default/default: serviceaccount "default" not found',
    );
    const wrong = await refusalOf(cluster.create(configMap("NO")));
    expect(wrong.status).toMatchObject({
      code: 422,
      reason: "Invalid",
      details: { causes: [{ reason: "FieldValueInvalid", field: "metadata.name" }] },
    });
  });

  test("uses the manifest's namespace, or another one if the manifest has none", async () => {
    const there = { name: "a", namespace: "kube-system" };
    const { metadata } = await cluster.create(configMap("a", { metadata: there }));
    expect(metadata.namespace).toBe("kube-system");
    const error = await refusalOf(
      cluster.create(configMap("b", { metadata: there }), { namespace: "default" }),
    );
    expect(error.message).toBe(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  });

  test("generates a name", async () => {
    const { metadata } = await cluster.create(configMap("", { metadata: { generateName: "a-" } }));
    expect(metadata.name).toMatch(/^a-[a-z0-9]{5}$/);
  });

  test("refuses a name that already exists", async () => {
    await cluster.create(configMap("a"));
    const { status } = await refusalOf(cluster.create(configMap("a")));
    expect(status).toMatchObject({
      code: 409,
      reason: "AlreadyExists",
      details: { name: "a", kind: "configmaps" },
    });
  });

  test("accepts a dry run, a field manager and a field validation", async () => {
    const { metadata } = await cluster.create(configMap("a", { data: { b: "c" } }), {
      dryRun: true,
      fieldManager: "robot",
    });
    expect(metadata.managedFields).toMatchObject([{ manager: "robot", operation: "Update" }]);
    expect(await names(cluster, "ConfigMap")).toEqual([]);
    const odd = configMap("a", { dada: {} });
    const error = await refusalOf(cluster.create(odd, { fieldValidation: "Strict" }));
    expect(error.message).toContain('strict decoding error: unknown field "dada"');
    await cluster.create(odd, { fieldValidation: "Ignore" });
    const own = (await cluster.get("v1", "ConfigMap", "a")).metadata;
    expect(own.managedFields).toBeUndefined();
    const { managedFields } = (await cluster.create(configMap("b", { data: { b: "c" } }))).metadata;
    expect(managedFields).toMatchObject([{ manager: "kubedouble" }]);
  });

  test("creates subresources of the object named in the manifest", async () => {
    await cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } });
    await cluster.create(pod("p"));
    const token = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: { name: "default" },
    };
    const { status } = await cluster.create(
      { ...token, spec: { audiences: ["a"] } },
      { subresource: "token" },
    );
    expect(status).toMatchObject({ token: expect.stringMatching(/^e/) });
    const binding = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name: "p" },
      target: { name: "node-1" },
    };
    await cluster.create(binding, { subresource: "binding" });
    expect((await cluster.get("v1", "Pod", "p"))["spec"]).toMatchObject({ nodeName: "node-1" });
    await cluster.create(
      { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } },
      { subresource: "eviction" },
    );
    expect((await cluster.get("v1", "Pod", "p")).metadata.deletionTimestamp).toBeDefined();
  });
});

describe("update", () => {
  test("replaces the object, and validates against the old one", async () => {
    const { metadata } = await cluster.create(configMap("a", { data: { b: "c" }, immutable: true }));
    const error = await refusalOf(cluster.update(configMap("a", { data: { b: "d" }, immutable: true })));
    expect(error.status).toMatchObject({ reason: "Invalid", details: { causes: [{ field: "data" }] } });
    const labels = { e: "f" };
    const next = configMap("a", { metadata: { name: "a", labels }, data: { b: "c" }, immutable: true });
    const updated = await cluster.update(next, { fieldManager: "robot" });
    expect(updated.metadata).toMatchObject({ uid: metadata.uid, labels });
    expect(updated.metadata.managedFields).toMatchObject([{ manager: "kubedouble" }, { manager: "robot" }]);
    expect(await cluster.get("v1", "ConfigMap", "a")).toEqual(updated);
  });

  test("refuses an outdated object and a missing one", async () => {
    const read = await cluster.create(configMap("a"));
    await cluster.update({ ...read, data: { b: "c" } });
    const { status } = await refusalOf(cluster.update({ ...read, data: { b: "d" } }));
    expect(status).toMatchObject({ code: 409, reason: "Conflict" });
    expect((await refusalOf(cluster.update(configMap("b")))).code).toBe(404);
  });

  test("changes nothing in a dry run", async () => {
    const before = await cluster.create(configMap("a"));
    const { data } = await cluster.update({ ...before, data: { b: "c" } }, { dryRun: true });
    expect(data).toEqual({ b: "c" });
    expect(await cluster.get("v1", "ConfigMap", "a")).toEqual(before);
  });

  test("writes only the status", async () => {
    const created = await cluster.create(deployment("web"));
    const status = { replicas: 3, observedGeneration: 1 };
    const next = { ...created, spec: { ...(created["spec"] as JsonObject), replicas: 3 }, status };
    const updated = await cluster.update(next, { subresource: "status" });
    expect(updated).toMatchObject({ spec: { replicas: 1 }, status });
  });
});

describe("patch", () => {
  beforeEach(async () => {
    await cluster.create(deployment("web"));
  });

  const containers = [{ name: "side", image: "busybox" }];

  test.each<[string, Parameters<Cluster["patch"]>[3], "json" | "merge" | "strategic" | undefined, number]>([
    ["operations", [{ op: "replace", path: "/spec/replicas", value: 2 }], undefined, 1],
    ["operations, with the type", [{ op: "replace", path: "/spec/replicas", value: 2 }], "json", 1],
    ["changed fields", { spec: { replicas: 2, template: { spec: { containers } } } }, undefined, 1],
    [
      "changed fields, with the type",
      { spec: { replicas: 2, template: { spec: { containers } } } },
      "merge",
      1,
    ],
    [
      "changed fields, lists by key",
      { spec: { replicas: 2, template: { spec: { containers } } } },
      "strategic",
      2,
    ],
  ])("takes %s", async (_title, patch, type, count) => {
    await cluster.patch("apps/v1", "Deployment", "web", patch, type === undefined ? {} : { type });
    const { spec } = await cluster.get("apps/v1", "Deployment", "web");
    expect(spec).toMatchObject({ replicas: 2 });
    expect(spec).toHaveProperty("template.spec.containers.length", count);
  });

  test("accepts status and scale", async () => {
    await cluster.patch("apps/v1", "Deployment", "web", { spec: { replicas: 4 } }, { subresource: "scale" });
    const status = { replicas: 4 };
    await cluster.patch("apps/v1", "Deployment", "web", { status }, { subresource: "status" });
    expect(await cluster.get("apps/v1", "Deployment", "web")).toMatchObject({
      spec: { replicas: 4 },
      status,
    });
  });

  test("accepts a dry run, a field manager and a field validation", async () => {
    const before = await cluster.get("apps/v1", "Deployment", "web");
    const robot = { dryRun: true, fieldManager: "robot" };
    const { spec, metadata } = await cluster.patch(
      "apps/v1",
      "Deployment",
      "web",
      { spec: { replicas: 4 } },
      robot,
    );
    expect(spec).toMatchObject({ replicas: 4 });
    expect(metadata.managedFields).toContainEqual(expect.objectContaining({ manager: "robot" }));
    const strict = { fieldValidation: "Strict" } as const;
    const error = await refusalOf(cluster.patch("apps/v1", "Deployment", "web", { spek: {} }, strict));
    expect(error.message).toContain('unknown field "spek"');
    expect(await cluster.get("apps/v1", "Deployment", "web")).toEqual(before);
  });

  test("refuses an invalid result, a failed test operation and a missing object", async () => {
    const negative = cluster.patch("apps/v1", "Deployment", "web", { spec: { replicas: -1 } });
    expect((await refusalOf(negative)).status).toMatchObject({
      details: { causes: [{ field: "spec.replicas" }] },
    });
    const test = [{ op: "test", path: "/spec/replicas", value: 7 }];
    expect((await refusalOf(cluster.patch("apps/v1", "Deployment", "web", test))).code).toBe(422);
    expect((await refusalOf(cluster.patch("apps/v1", "Deployment", "none", {}))).code).toBe(404);
  });
});

describe("apply", () => {
  test("creates the object, then changes the fields that the manager owns", async () => {
    const created = await cluster.apply(configMap("a", { data: { b: "c", d: "e" } }));
    expect(created.metadata.managedFields).toMatchObject([{ manager: "kubedouble", operation: "Apply" }]);
    const { data } = await cluster.apply(configMap("a", { data: { b: "f" } }));
    expect(data).toEqual({ b: "f" });
  });

  test("fails if another manager owns a field, and takes it by force", async () => {
    await cluster.apply(configMap("a", { data: { b: "c" } }), { fieldManager: "robot" });
    const mine = configMap("a", { data: { b: "d" } });
    const { status } = await refusalOf(cluster.apply(mine));
    expect(status).toMatchObject({
      reason: "Conflict",
      details: {
        causes: [{ reason: "FieldManagerConflict", message: 'conflict with "robot"', field: ".data.b" }],
      },
    });
    expect((await cluster.apply(mine, { force: true, dryRun: true }))["data"]).toEqual({ b: "d" });
    expect((await cluster.get("v1", "ConfigMap", "a"))["data"]).toEqual({ b: "c" });
    expect((await cluster.apply(mine, { force: true }))["data"]).toEqual({ b: "d" });
  });

  test("applies a status", async () => {
    await cluster.create(deployment("web"));
    const { apiVersion, kind, metadata } = deployment("web");
    const status = { replicas: 2 };
    const manifest = { apiVersion, kind, metadata, status } as JsonObject;
    expect((await cluster.apply(manifest, { subresource: "status" }))["status"]).toEqual(status);
  });
});

describe("delete", () => {
  test("returns the Status, or the object while it terminates", async () => {
    const { metadata } = await cluster.create(configMap("a"));
    expect(await cluster.delete("v1", "ConfigMap", "a")).toMatchObject({
      kind: "Status",
      status: "Success",
      details: { name: "a", uid: metadata.uid },
    });
    await cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } });
    await cluster.create(pod("p"));
    await cluster.create(
      { apiVersion: "v1", kind: "Binding", metadata: { name: "p" }, target: { name: "node-1" } },
      { subresource: "binding" },
    );
    const ending = await cluster.delete("v1", "Pod", "p", { gracePeriodSeconds: 7 });
    expect(ending).toMatchObject({ kind: "Pod", metadata: { deletionGracePeriodSeconds: 7 } });
    await cluster.delete("v1", "Pod", "p", { gracePeriodSeconds: 0 });
    expect(await names(cluster, "Pod")).toEqual([]);
  });

  test("accepts preconditions, a dry run and a propagation policy", async () => {
    const { metadata } = await cluster.create(configMap("a"));
    const other = cluster.delete("v1", "ConfigMap", "a", { preconditions: { uid: "x" } });
    expect((await refusalOf(other)).status.reason).toBe("Conflict");
    await cluster.delete("v1", "ConfigMap", "a", { dryRun: true });
    const preconditions = { uid: String(metadata.uid), resourceVersion: String(metadata.resourceVersion) };
    await cluster.delete("v1", "ConfigMap", "a", { preconditions, propagationPolicy: "Foreground" });
    expect((await cluster.get("v1", "ConfigMap", "a")).metadata.finalizers).toEqual(["foregroundDeletion"]);
    expect((await refusalOf(cluster.delete("v1", "ConfigMap", "b"))).code).toBe(404);
  });
});

describe("deleteCollection", () => {
  test("deletes the selected objects of one namespace and returns them", async () => {
    for (const name of ["a", "b"])
      await cluster.create(configMap(name, { metadata: { name, labels: { name } } }));
    await cluster.create(configMap("a", { metadata: { name: "a", labels: { name: "a" } } }), {
      namespace: "kube-system",
    });
    const selected = { labelSelector: "name=a" };
    await cluster.deleteCollection("v1", "ConfigMap", { ...selected, dryRun: true });
    expect(await names(cluster, "ConfigMap")).toEqual(["a", "b"]);
    const { items } = await cluster.deleteCollection("v1", "ConfigMap", selected);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    expect(await names(cluster, "ConfigMap")).toEqual(["b"]);
    await cluster.get("v1", "ConfigMap", "a", { namespace: "kube-system" });
    await cluster.deleteCollection("v1", "ConfigMap", { fieldSelector: "metadata.name=b" });
    expect(await names(cluster, "ConfigMap")).toEqual([]);
  });
});
