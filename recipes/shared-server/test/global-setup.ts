import { sharedServer } from "kubedouble/vitest/global-setup";

const storageClass = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "fast" },
  provisioner: "example.com/fast",
};

/** One server for all workers, with the objects that all of them need. It stops when the last worker has ended. */
export const setup = sharedServer({ objects: [storageClass] });
