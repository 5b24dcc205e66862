import { expect, test } from "vitest";
import { VirtualClock } from "../../src/apimachinery/clock.ts";
import { type Cluster, createCluster } from "../../src/index.ts";

const seconds = 1000;
const parts = [
  ["v1", "Service"],
  ["v1", "Endpoints"],
  ["discovery.k8s.io/v1", "EndpointSlice"],
] as const;

/** The kubernetes service and its endpoints, without the fields that differ when they are recreated. */
async function found(cluster: Cluster): Promise<readonly unknown[]> {
  const objects = parts.map(([apiVersion, kind]) =>
    cluster.get(apiVersion, kind, "kubernetes").catch(() => undefined),
  );
  return (await Promise.all(objects)).map((object) => {
    if (object === undefined) return undefined;
    const {
      uid: _,
      resourceVersion: _version,
      creationTimestamp: _time,
      managedFields,
      ...metadata
    } = object.metadata;
    const managers = Array.isArray(managedFields) ? managedFields.map((entry) => JSON.stringify(entry)) : [];
    return { ...object, metadata, managers: managers.map((entry) => entry.replace(/"time":"[^"]*"/, "")) };
  });
}

test("the kubernetes service and its endpoints are recreated within ten seconds", async () => {
  await using cluster = createCluster({ clock: new VirtualClock("2026-01-01T00:00:00Z") });
  const before = await found(cluster);
  for (const [apiVersion, kind] of parts)
    await cluster.delete(apiVersion, kind, "kubernetes").catch(() => {});
  await cluster.settle();
  expect(await found(cluster)).toEqual([undefined, undefined, undefined]);
  await cluster.clock.advance(10 * seconds);
  await cluster.settle();
  expect(await found(cluster)).toEqual(before);
});

test("a service that a client recreates first is kept", async () => {
  await using cluster = createCluster({ clock: new VirtualClock("2026-01-01T00:00:00Z") });
  await cluster.delete("v1", "Service", "kubernetes");
  await cluster.settle();
  const own = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "kubernetes" },
    spec: { ports: [{ port: 1 }] },
  };
  const { metadata } = await cluster.create(own);
  await cluster.clock.advance(10 * seconds);
  await cluster.settle();
  expect((await cluster.get("v1", "Service", "kubernetes")).metadata.uid).toBe(metadata.uid);
});

test("an API server without controllers does not recreate them", async () => {
  await using cluster = createCluster({ clock: new VirtualClock("2026-01-01T00:00:00Z"), controllers: [] });
  await cluster.delete("v1", "Service", "kubernetes");
  await cluster.clock.advance(60 * seconds);
  expect((await found(cluster))[0]).toBeUndefined();
});
