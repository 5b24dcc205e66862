import { describe, expect, test } from "vitest";
import { defaulted } from "../../../../test/registry/defaulted.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";

const field = { fieldRef: { fieldPath: "metadata.labels" } };
const fieldOfV1 = { fieldRef: { apiVersion: "v1" } };

describe("a volume of a pod", () => {
  test.each<[title: string, sent: JsonObject, expected: JsonObject]>([
    ["without a source is an emptyDir", {}, { emptyDir: {} }],
    ["of a secret has mode 0644", { secret: { secretName: "s" } }, { secret: { defaultMode: 420 } }],
    ["of a secret keeps mode 0", { secret: { defaultMode: 0 } }, { secret: { defaultMode: 0 } }],
    ["of a ConfigMap has mode 0644", { configMap: { name: "c" } }, { configMap: { defaultMode: 420 } }],
    [
      "of the downward API refers to v1",
      { downwardAPI: { items: [field] } },
      { downwardAPI: { defaultMode: 420, items: [fieldOfV1] } },
    ],
    [
      "that is projected has defaults in sources of every kind",
      {
        projected: { sources: [{ downwardAPI: { items: [field] } }, { serviceAccountToken: { path: "t" } }] },
      },
      {
        projected: {
          defaultMode: 420,
          sources: [
            { downwardAPI: { items: [fieldOfV1] } },
            { serviceAccountToken: { expirationSeconds: 3600 } },
          ],
        },
      },
    ],
    ["of the host has an empty type", { hostPath: { path: "/" } }, { hostPath: { type: "" } }],
    ["of iSCSI", { iscsi: { iqn: "x" } }, { iscsi: { iscsiInterface: "default" } }],
    ["of RBD", { rbd: {} }, { rbd: { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" } }],
    [
      "of an Azure disk",
      { azureDisk: {} },
      { azureDisk: { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" } },
    ],
    ["of ScaleIO", { scaleIO: {} }, { scaleIO: { storageMode: "ThinProvisioned", fsType: "xfs" } }],
    [
      "with a claim template",
      { ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: "1u" } } } } } },
      {
        ephemeral: {
          volumeClaimTemplate: {
            spec: { volumeMode: "Filesystem", resources: { requests: { storage: "1m" } } },
          },
        },
      },
    ],
  ])("%s", (_, sent, expected) => {
    const pod = defaulted("v1/Pod", { spec: { volumes: [{ name: "v", ...sent }] } });
    expect(pod).toMatchObject({ spec: { volumes: [{ name: "v", ...expected }] } });
  });
});

test("a PersistentVolume is retained, a filesystem and pending", () => {
  const spec = { capacity: { storage: "1u" }, hostPath: { path: "/" } };
  expect(defaulted("v1/PersistentVolume", { spec })).toMatchObject({
    spec: {
      capacity: { storage: "1m" },
      hostPath: { type: "" },
      persistentVolumeReclaimPolicy: "Retain",
      volumeMode: "Filesystem",
    },
    status: { phase: "Pending" },
  });
});

test("a PersistentVolumeClaim is a filesystem and pending", () => {
  const spec = { volumeMode: "Filesystem", resources: { requests: { storage: "1m" } } };
  const sent = { spec: { resources: { requests: { storage: "1u" } } } };
  expect(defaulted("v1/PersistentVolumeClaim", sent)).toMatchObject({ spec, status: { phase: "Pending" } });
  const block = { spec: { volumeMode: "Block" }, status: { phase: "Bound", capacity: { storage: "1u" } } };
  expect(defaulted("v1/PersistentVolumeClaim", block)).toMatchObject({
    spec: { volumeMode: "Block" },
    status: { phase: "Bound", capacity: { storage: "1m" } },
  });
});

test("a VolumeAttachment has defaults in its inline volume", () => {
  const spec = { source: { inlineVolumeSpec: { iscsi: { iqn: "x" } } } };
  expect(defaulted("storage.k8s.io/v1/VolumeAttachment", { spec })).toMatchObject({
    spec: { source: { inlineVolumeSpec: { iscsi: { iscsiInterface: "default" } } } },
  });
  expect(defaulted("storage.k8s.io/v1/VolumeAttachment", {})).not.toHaveProperty(
    "spec.source.inlineVolumeSpec",
  );
});

test("a PodPreset has defaults in the fields that it injects", () => {
  const spec = { env: [{ name: "e", valueFrom: field }], volumes: [{ name: "v" }] };
  expect(defaulted("settings.k8s.io/v1alpha1/PodPreset", { spec }, "1.18")).toMatchObject({
    spec: { env: [{ valueFrom: fieldOfV1 }], volumes: [{ emptyDir: {} }] },
  });
});
