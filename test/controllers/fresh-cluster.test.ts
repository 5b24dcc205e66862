import { expect, test } from "vitest";
import { createCluster } from "../../src/index.ts";

const pod = (namespace: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "first", namespace },
  spec: { containers: [{ name: "main", image: "busybox" }] },
});

test("a pod can be created by the very first request, and right after its namespace", async () => {
  const cluster = createCluster();
  const first = await cluster.create(pod("default"));
  expect(first).toMatchObject({ spec: { serviceAccountName: "default" } });
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "new" } });
  expect(await cluster.create(pod("new"))).toMatchObject({ spec: { serviceAccountName: "default" } });
  await cluster.close();
});

test("the pods among a cluster's initial objects exist", async () => {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  const cluster = createCluster({ objects: [namespace, pod("shop"), pod("default")] });
  expect((await cluster.list("v1", "Pod")).items).toHaveLength(2);
  await cluster.close();
});

test("an API server without controllers creates no service accounts and refuses pods", async () => {
  const cluster = createCluster({ controllers: [] });
  await expect(cluster.create(pod("default"))).rejects.toMatchObject({
    status: {
      code: 403,
      message:
        'pods "first" is forbidden: error looking up service account default/default: serviceaccount "default" not found',
    },
  });
  await cluster.close();
});
