import { expect, test } from "vitest";
import { defaulted } from "../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

test.each<[title: string, kind: string, sent: JsonObject, expected: JsonObject]>([
  [
    "a StorageClass deletes and binds at once",
    "StorageClass",
    {},
    { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
  ],
  [
    "a StorageClass does as it says",
    "StorageClass",
    { reclaimPolicy: "Retain", volumeBindingMode: "WaitForFirstConsumer" },
    { reclaimPolicy: "Retain", volumeBindingMode: "WaitForFirstConsumer" },
  ],
  [
    "a CSIDriver attaches persistent volumes",
    "CSIDriver",
    {},
    {
      spec: {
        attachRequired: true,
        podInfoOnMount: false,
        volumeLifecycleModes: ["Persistent"],
        storageCapacity: false,
        fsGroupPolicy: "ReadWriteOnceWithFSType",
        requiresRepublish: false,
        seLinuxMount: false,
      },
    },
  ],
  [
    "a CSIDriver does as it says",
    "CSIDriver",
    { spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] } },
    { spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] } },
  ],
])("%s", (_, kind, sent, expected) => {
  expect(defaulted(`storage.k8s.io/v1/${kind}`, sent)).toMatchObject(expected);
});

test("a CSIDriver of an early release has only the fields of that release", () => {
  expect(defaulted("storage.k8s.io/v1/CSIDriver", {}, "1.18")["spec"]).toEqual({
    attachRequired: true,
    podInfoOnMount: false,
    volumeLifecycleModes: ["Persistent"],
  });
});
