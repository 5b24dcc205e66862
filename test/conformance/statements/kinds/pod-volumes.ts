import type { Statement } from "../statement.ts";
import { kindStatements, podSpec, pods } from "./kind-cases.ts";

export const podVolumesStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a Pod whose volume has",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidateVolumes",
      target: pods,
      body: (changes) => podSpec({ volumes: [{ name: "v", ...changes }] }),
    },
    [
      ["none", {}],
      ["two", { emptyDir: {}, hostPath: { path: "/" } }, "spec.volumes[0].hostPath"],
      ["emptyDir neg", { emptyDir: { sizeLimit: "-1" } }, "spec.volumes[0].emptyDir.sizeLimit"],
      ["hostPath none", { hostPath: { path: "" } }, "spec.volumes[0].hostPath.path"],
      ["hostPath ..", { hostPath: { path: "/a/.." } }, "spec.volumes[0].hostPath.path"],
      ["git", { gitRepo: { repository: "" } }, "spec.volumes[0].gitRepo.repository"],
      ["git dir", { gitRepo: { repository: "x", directory: "/a" } }, "spec.volumes[0].gitRepo.directory"],
      [
        "git dir ..",
        { gitRepo: { repository: "x", directory: "a/../.." } },
        "spec.volumes[0].gitRepo.directory",
      ],
      ["secret none", { secret: {} }, "spec.volumes[0].secret.secretName"],
      [
        "secret mode",
        { secret: { secretName: "x", defaultMode: 512 } },
        "spec.volumes[0].secret.defaultMode",
      ],
      [
        "secret item abs",
        { secret: { secretName: "x", items: [{ key: "k", path: "/x" }] } },
        "spec.volumes[0].secret.items[0].path",
      ],
      [
        "secret item ..",
        { secret: { secretName: "x", items: [{ key: "k", path: "a/../b" }] } },
        "spec.volumes[0].secret.items[0].path",
      ],
      [
        "secret item ..x",
        { secret: { secretName: "x", items: [{ key: "k", path: "..x" }] } },
        "spec.volumes[0].secret.items[0].path",
      ],
      [
        "secret item no key",
        { secret: { secretName: "x", items: [{ key: "", path: "x" }] } },
        "spec.volumes[0].secret.items[0].key",
      ],
      ["cm no name", { configMap: {} }, "spec.volumes[0].configMap.name"],
      ["pvc none", { persistentVolumeClaim: {} }, "spec.volumes[0].persistentVolumeClaim.claimName"],
      ["downward", { downwardAPI: { items: [{ path: "x", fieldRef: { fieldPath: "metadata.labels" } }] } }],
      [
        "downward both",
        {
          downwardAPI: {
            items: [
              {
                path: "x",
                fieldRef: { fieldPath: "metadata.labels" },
                resourceFieldRef: { containerName: "c", resource: "limits.cpu" },
              },
            ],
          },
        },
        "spec.volumes[0].downwardAPI",
      ],
      [
        "downward no container",
        { downwardAPI: { items: [{ path: "x", resourceFieldRef: { resource: "limits.cpu" } }] } },
        "spec.volumes[0].downwardAPI.resourceFieldRef.containerName",
      ],
      [
        "downward nodeName",
        { downwardAPI: { items: [{ path: "x", fieldRef: { fieldPath: "spec.nodeName" } }] } },
        "spec.volumes[0].downwardAPI.fieldRef.fieldPath",
      ],
      [
        "downward mode",
        { downwardAPI: { items: [{ path: "x", mode: 1000, fieldRef: { fieldPath: "metadata.labels" } }] } },
        "spec.volumes[0].downwardAPI.mode",
      ],
      ["projected empty", { projected: { sources: [{}] } }],
      [
        "projected dup path",
        {
          projected: {
            sources: [
              { secret: { name: "a", items: [{ key: "k", path: "x" }] } },
              { configMap: { name: "a", items: [{ key: "k", path: "x" }] } },
            ],
          },
        },
        "spec.volumes[0].projected",
      ],
      [
        "projected two",
        { projected: { sources: [{ secret: { name: "a" }, configMap: { name: "b" } }] } },
        "spec.volumes[0].projected.sources[0]",
      ],
      [
        "projected token short",
        { projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 500 } }] } },
        "spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds",
      ],
      [
        "projected token no path",
        { projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3600 } }] } },
        "spec.volumes[0].projected.path",
      ],
      ["csi", { csi: { driver: "a.b" } }],
      ["csi no driver", { csi: {} }, "spec.volumes[0].csi.driver"],
      [
        "csi secret",
        { csi: { driver: "a", nodePublishSecretRef: {} } },
        "spec.volumes[0].csi.nodePublishSecretRef.name",
      ],
      ["ephemeral none", { ephemeral: {} }, "spec.volumes[0].ephemeral.volumeClaimTemplate"],
      [
        "ephemeral ok",
        {
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
            },
          },
        },
      ],
      [
        "ephemeral name",
        {
          ephemeral: {
            volumeClaimTemplate: {
              metadata: { name: "x" },
              spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
            },
          },
        },
        "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.name",
      ],
      ["rbd", { rbd: { monitors: [], image: "x" } }, "spec.volumes[0].rbd.monitors"],
      ["ceph path", { cephfs: { monitors: ["a"] } }],
      ["fc", { fc: { wwids: ["a"] } }],
      ["portworx", { portworxVolume: {} }, "spec.volumes[0].portworxVolume.volumeID"],
      ["azureFile", { azureFile: { secretName: "s", shareName: "" } }, "spec.volumes[0].azureFile.shareName"],
      ["vsphere", { vsphereVolume: {} }, "spec.volumes[0].vsphereVolume.volumePath"],
      [
        "gce partition",
        { gcePersistentDisk: { pdName: "x", partition: 256 } },
        "spec.volumes[0].persistentDisk.partition",
      ],
      [
        "aws partition",
        { awsElasticBlockStore: { volumeID: "x", partition: -1 } },
        "spec.volumes[0].awsElasticBlockStore.partition",
      ],
      ["image", { image: { reference: "x" } }],
    ],
  ),
];
