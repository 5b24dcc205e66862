import { expect } from "vitest";
import { CoreV1Api, StorageV1Api, test } from "./own-namespace.ts";

test("a test sees its own objects and the shared ones", async ({ kubeConfig, namespace }) => {
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const spec = {
    storageClassName: "fast",
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
  };
  await core.createNamespacedPersistentVolumeClaim({ namespace, body: { metadata: { name: "data" }, spec } });
  const { items } = await core.listNamespacedPersistentVolumeClaim({ namespace });
  expect(items.map(({ metadata }) => metadata?.name)).toEqual(["data"]);
  const storage = kubeConfig.makeApiClient(StorageV1Api);
  const { provisioner } = await storage.readStorageClass({ name: "fast" });
  expect(provisioner).toBe("example.com/fast");
});
