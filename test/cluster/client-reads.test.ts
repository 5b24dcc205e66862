import { beforeEach, describe, expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";
import { configMap, deployment, refusalOf } from "./manifests.ts";

let cluster: Cluster;

beforeEach(() => {
  cluster = createCluster({ controllers: [] });
});

describe("get", () => {
  test("returns an object with its apiVersion and kind, by default from the namespace default", async () => {
    await cluster.create(configMap("a", { data: { in: "default" } }));
    await cluster.create(configMap("a", { data: { in: "kube-system" } }), { namespace: "kube-system" });
    expect(await cluster.get("v1", "ConfigMap", "a")).toMatchObject(
      configMap("a", { data: { in: "default" } }),
    );
    const { data } = await cluster.get("v1", "ConfigMap", "a", { namespace: "kube-system" });
    expect(data).toEqual({ in: "kube-system" });
  });

  test("uses no namespace for cluster-scoped kinds", async () => {
    const { metadata } = await cluster.get("v1", "Namespace", "default");
    expect(metadata.namespace).toBeUndefined();
  });

  test("returns subresources", async () => {
    await cluster.create(deployment("web"));
    const scale = await cluster.get("apps/v1", "Deployment", "web", { subresource: "scale" });
    expect(scale).toMatchObject({ apiVersion: "autoscaling/v1", kind: "Scale", spec: { replicas: 1 } });
  });

  test("throws the Status of the server", async () => {
    const error = await refusalOf(cluster.get("v1", "ConfigMap", "a"));
    expect(error).toMatchObject({ name: "StatusError", code: 404, message: 'configmaps "a" not found' });
    expect(error.status).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'configmaps "a" not found',
      reason: "NotFound",
      details: { name: "a", kind: "configmaps" },
      code: 404,
    });
  });
});

describe("list", () => {
  beforeEach(async () => {
    for (const [name, app] of [
      ["a", "one"],
      ["b", "two"],
      ["c", "three"],
    ]) {
      await cluster.create(
        configMap(name ?? "", { metadata: { name: name ?? "", labels: { app: app ?? "" } } }),
      );
    }
    await cluster.create(configMap("a"), { namespace: "kube-public" });
  });

  test("returns objects of all namespaces by default", async () => {
    const { items, kind } = await cluster.list("v1", "ConfigMap", { fieldSelector: "metadata.name=a" });
    expect(items.map(({ metadata }) => metadata.namespace)).toEqual(["default", "kube-public"]);
    expect(kind).toBe("ConfigMapList");
  });

  test("selects by labels and fields", async () => {
    const options = {
      namespace: "default",
      labelSelector: "app in (one, two)",
      fieldSelector: "metadata.name!=a",
    };
    const { items } = await cluster.list("v1", "ConfigMap", options);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["b"]);
  });

  test("returns a page and the next one", async () => {
    const options = { namespace: "default", limit: 2 };
    const first = await cluster.list("v1", "ConfigMap", options);
    expect(first.items.map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
    expect(first.metadata["remainingItemCount"]).toBe(1);
    const token = String(first.metadata["continue"]);
    const second = await cluster.list("v1", "ConfigMap", { ...options, continue: token });
    expect(second.items.map(({ metadata }) => metadata.name)).toEqual(["c"]);
  });

  test("returns the state at a resourceVersion", async () => {
    const { metadata } = await cluster.list("v1", "ConfigMap");
    await cluster.delete("v1", "ConfigMap", "a");
    const resourceVersion = String(metadata["resourceVersion"]);
    const then = { namespace: "default", resourceVersion, resourceVersionMatch: "Exact" } as const;
    expect((await cluster.list("v1", "ConfigMap", then)).items).toHaveLength(3);
    cluster.compact();
    expect((await refusalOf(cluster.list("v1", "ConfigMap", then))).status.reason).toBe("Expired");
  });

  test("refuses an unsupported field selector", async () => {
    const error = await refusalOf(cluster.list("v1", "ConfigMap", { fieldSelector: "data.a=b" }));
    expect(error).toMatchObject({
      code: 400,
      message: '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    });
  });
});
