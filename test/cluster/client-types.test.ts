import { V1Pod } from "client-node-1";
import { expect, test } from "vitest";
import { type Cluster, createCluster } from "../../src/index.ts";

const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };

/** A kind of a user's own definition. */
interface Widget {
  readonly apiVersion: "example.com/v1";
  readonly kind: "Widget";
  readonly metadata: { readonly name: string; readonly generation?: number };
  readonly spec: { readonly size: number; readonly color?: "red" | "blue" };
  readonly status?: { readonly ready: boolean };
}

const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        subresources: { status: {} },
      },
    ],
  },
};

/** A Pod as an object of a client library's class. */
function podOfClass(): V1Pod {
  const pod = new V1Pod();
  pod.apiVersion = "v1";
  pod.kind = "Pod";
  pod.metadata = { name: "web", annotations: {}, creationTimestamp: new Date(0) };
  pod.spec = { containers: [{ name: "a", image: "nginx" }] };
  return pod;
}

test.each<[verb: string, write: (cluster: Cluster) => Promise<V1Pod>]>([
  ["create", (cluster) => cluster.create(podOfClass())],
  ["apply", (cluster) => cluster.apply(podOfClass())],
])("%s accepts an object of a class with dates", async (_verb, write) => {
  const cluster = createCluster();
  await write(cluster);
  const { spec, status } = await cluster.get("v1", "Pod", "web");
  expect([spec.containers[0]?.image, status.phase]).toEqual(["nginx", "Pending"]);
});

test("update and patch write dates as JSON.stringify does", async () => {
  const cluster = createCluster();
  const event = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "a" },
    involvedObject: { namespace: "default" },
  };
  await cluster.create(event);
  const lastTimestamp = new Date("2026-01-02T03:04:05.678Z");
  expect(await cluster.update({ ...event, lastTimestamp })).toMatchObject({
    lastTimestamp: "2026-01-02T03:04:05Z",
  });
  const later = new Date(lastTimestamp.getTime() + 1000);
  const patched = await cluster.patch("v1", "Event", "a", { lastTimestamp: later });
  expect(patched.lastTimestamp).toBe("2026-01-02T03:04:06Z");
});

test("objects and load accept objects of classes", async () => {
  const cluster = createCluster({ objects: [podOfClass()] });
  expect((await cluster.get("v1", "Pod", "web")).spec.containers).toHaveLength(1);
  await cluster.delete("v1", "Pod", "web", { gracePeriodSeconds: 0 });
  await cluster.load([podOfClass()]);
  await cluster.as("alice").load([podOfClass()]);
  expect((await cluster.list("v1", "Pod")).items).toHaveLength(1);
});

test("a manifest must be an object", async () => {
  const cluster = createCluster();
  await expect(cluster.create([configMap])).rejects.toThrow("a manifest");
});

test("the items of lists have apiVersion and kind", async () => {
  const cluster = createCluster({ objects: [configMap] });
  const { items } = await cluster.list("v1", "ConfigMap", { fieldSelector: "metadata.name=a" });
  expect(items).toMatchObject([configMap]);
  for (const item of items) await cluster.update({ ...item, data: { color: "blue" } });
  const deleted = await cluster.deleteCollection("v1", "ConfigMap", { fieldSelector: "metadata.name=a" });
  expect(deleted.items).toMatchObject([{ ...configMap, data: { color: "blue" } }]);
});

test("an object of one's own interface keeps its type through every verb", async () => {
  await using cluster = createCluster({ objects: [widgets] });
  await cluster.settle();
  const widget: Widget = {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "a" },
    spec: { size: 1 },
  };
  const created: Widget = await cluster.create(widget);
  expect([created.spec.size, created.metadata.generation]).toEqual([1, 1]);
  const applied: Widget = await cluster.apply({ ...widget, spec: { size: 2 } }, { force: true });
  const patched = await cluster.patch<Widget>("example.com/v1", "Widget", "a", { spec: { color: "blue" } });
  const updated: Widget = await cluster.update({ ...patched, spec: { ...patched.spec, size: 3 } });
  expect([applied.spec.size, patched.spec.color, updated.spec.size]).toEqual([2, "blue", 3]);
  await cluster.update<Widget>({ ...updated, status: { ready: true } }, { subresource: "status" });
  const query = { apiVersion: "example.com/v1", kind: "Widget", name: "a" };
  const ready = await cluster.waitFor<Widget>(query, ({ status }) => status?.ready === true);
  const read = await cluster.get<Widget>("example.com/v1", "Widget", "a");
  const { items } = await cluster.list<Widget>("example.com/v1", "Widget");
  expect([ready, ...items]).toEqual([read, read]);
  for await (const { type, object } of cluster.watch<Widget>("example.com/v1", "Widget")) {
    expect([type, object.spec.size, object.spec.color]).toEqual(["ADDED", 3, "blue"]);
    break;
  }
});
