import { expect, test } from "vitest";
import { defaulted } from "../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../apimachinery/json.ts";

test.each<[title: string, kind: string, sent: JsonObject, expected: JsonObject]>([
  [
    "a StorageClass has the policy Delete and binds immediately",
    "StorageClass",
    {},
    { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
  ],
  [
    "a StorageClass keeps what it sets",
    "StorageClass",
    { reclaimPolicy: "Retain", volumeBindingMode: "WaitForFirstConsumer" },
    { reclaimPolicy: "Retain", volumeBindingMode: "WaitForFirstConsumer" },
  ],
  [
    "a CSIDriver requires attachment and supports persistent volumes",
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
    "a CSIDriver keeps what it sets",
    "CSIDriver",
    { spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] } },
    { spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] } },
  ],
])("%s", (_, kind, sent, expected) => {
  expect(defaulted(`storage.k8s.io/v1/${kind}`, sent)).toMatchObject(expected);
});

test("a CSIDriver of 1.18 gets defaults only for the fields of that release", () => {
  expect(defaulted("storage.k8s.io/v1/CSIDriver", {}, "1.18")["spec"]).toEqual({
    attachRequired: true,
    podInfoOnMount: false,
    volumeLifecycleModes: ["Persistent"],
  });
});
