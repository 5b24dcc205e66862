import { describe, expect, test } from "vitest";
import { quietCluster, testClient } from "../../registry/test-client.ts";

const path = "/api/v1/persistentvolumes";
const good = {
  capacity: { storage: "1Gi" },
  accessModes: ["ReadWriteOnce"],
  hostPath: { path: "/x" },
};
const csi = { driver: "x.y", volumeHandle: "h" };

describe("a PersistentVolume is refused for", () => {
  test.each<[string, object, readonly unknown[]]>([
    [
      "an empty spec",
      { capacity: null, accessModes: null, hostPath: null },
      [
        "spec.accessModes: Required value",
        "spec.capacity: Required value",
        'spec.capacity: Unsupported value: core.ResourceList(nil): supported values: "storage"',
        "spec: Required value: must specify a volume type",
      ],
    ],
    [
      "modes",
      { accessModes: ["Q", "ReadWriteOncePod", "ReadOnlyMany"] },
      [
        'spec.accessModes: Unsupported value: "Q": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
        "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
      ],
    ],
    [
      "no room",
      { capacity: { storage: "0" } },
      ['spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
    ],
    [
      "policies, modes and classes",
      { persistentVolumeReclaimPolicy: "Z", volumeMode: "Z", storageClassName: "A_" },
      [
        'spec.persistentVolumeReclaimPolicy: Unsupported value: "Z": supported values: "Delete", "Recycle", "Retain"',
        expect.stringContaining('spec.storageClassName: Invalid value: "A_": a lowercase RFC 1123 subdomain'),
        'spec.volumeMode: Unsupported value: "Z": supported values: "Block", "Filesystem"',
      ],
    ],
    [
      "two sources",
      { nfs: { server: "a", path: "b" } },
      ["spec.nfs: Forbidden: may not specify more than 1 volume type"],
    ],
    [
      "a root that is recycled",
      { hostPath: { path: "/a/.." }, persistentVolumeReclaimPolicy: "Recycle" },
      [
        "spec.hostPath.path: Invalid value: \"/a/..\": must not contain '..'",
        "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
      ],
    ],
    [
      "a local volume without a path",
      { hostPath: null, local: { path: "" } },
      [
        "spec.local.path: Required value",
        "spec.nodeAffinity: Required value: Local volume requires node affinity",
      ],
    ],
    [
      "an empty affinity",
      { nodeAffinity: {} },
      ["spec.nodeAffinity.required: Required value: must specify required node constraints"],
    ],
    [
      "a driver without a volume",
      { hostPath: null, csi: { driver: "", nodePublishSecretRef: {} } },
      [
        "spec.csi.driver: Required value",
        expect.stringContaining("spec.csi.driver: Invalid value"),
        "spec.csi.volumeHandle: Required value",
        "spec.csi.nodePublishSecretRef.name: Required value",
        "spec.csi.nodePublishSecretRef.namespace: Required value",
      ],
    ],
    [
      "an invalid namespace",
      { hostPath: null, glusterfs: { endpoints: "e", path: "p", endpointsNamespace: "" } },
      [
        'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
      ],
    ],
    [
      "a disk, under another name",
      { hostPath: null, gcePersistentDisk: {} },
      ["spec.persistentDisk.pdName: Required value"],
    ],
    [
      "less than no room",
      { capacity: { storage: "-1" } },
      [
        "spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity",
        'spec.capacity[storage]: Invalid value: "-1": must be greater than zero',
      ],
    ],
    [
      "a capacity of other resources",
      { capacity: { storage: "1Gi", cpu: "1" } },
      [
        expect.stringMatching(
          /^spec.capacity: Unsupported value: core.ResourceList\{.*: supported values: "storage"$/,
        ),
      ],
    ],
    [
      "a path with ..",
      {
        hostPath: null,
        local: { path: "/a/../b" },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchFields: [{ key: "x", operator: "Q" }] }] } },
      },
      [
        expect.stringContaining("spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[0]"),
        expect.stringContaining("spec.nodeAffinity.required.nodeSelectorTerms[0].matchFields[0]"),
        "spec.local.path: Invalid value: \"/a/../b\": must not contain '..'",
      ],
    ],
    [
      "an invalid endpoints namespace",
      { hostPath: null, glusterfs: { endpointsNamespace: "A." } },
      [
        "spec.glusterfs.endpoints: Required value",
        "spec.glusterfs.path: Required value",
        expect.stringContaining(
          'spec.glusterfs.endpointsNamespace: Invalid value: "A.": a lowercase RFC 1123 label',
        ),
      ],
    ],
    [
      "a filesystem without monitors, with its other field name for too many volume types",
      { nfs: { server: "a", path: "/b" }, hostPath: null, cephfs: {} },
      ["spec.cephFS: Forbidden: may not specify more than 1 volume type"],
    ],
    [
      "a flex volume, even as one of too many volume types",
      { flexVolume: { options: { "X.K8s.io/y": "" } } },
      [
        "spec.flexVolume.driver: Required value",
        'spec.flexVolume.options[X.K8s.io/y]: Invalid value: "X.K8s.io/y": kubernetes.io and k8s.io namespaces are reserved',
      ],
    ],
    ...["cinder", "storageos"].map((name): [string, object, readonly unknown[]] => [
      `a secret of ${name} that is nowhere`,
      { hostPath: null, [name]: { volumeID: "v", volumeName: "v", secretRef: {} } },
      [`spec.${name}.secretRef.name: Required value`, `spec.${name}.secretRef.namespace: Required value`],
    ]),
    [
      "a share with an empty secret namespace",
      { hostPath: null, azureFile: { secretName: "s", shareName: "s", secretNamespace: "" } },
      ["spec.azureFile.secretNamespace: Required value"],
    ],
    [
      "a target that has no name",
      {
        hostPath: null,
        iscsi: {
          targetPortal: "p".repeat(63),
          iqn: "x",
          lun: 256,
          secretRef: {},
          initiatorName: "iqn.z",
        },
      },
      [
        `spec.iscsi.targetportal: Invalid value: "${"p".repeat(63)}": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.`,
        'spec.iscsi.iqn: Invalid value: "x": must be valid format',
        "spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive",
        "spec.iscsi.secretRef.name: Required value",
        'spec.iscsi.initiatorname: Invalid value: "iqn.z": must be valid format',
      ],
    ],
    [
      "a target that requires a secret",
      { hostPath: null, iscsi: { chapAuthDiscovery: true, initiatorName: "z" } },
      [
        "spec.iscsi.targetPortal: Required value",
        "spec.iscsi.iqn: Required value",
        "spec.iscsi.secretRef: Required value",
        'spec.iscsi.initiatorname: Invalid value: "z": must be valid format',
      ],
    ],
    [
      "driver secrets with invalid names",
      {
        hostPath: null,
        csi: {
          ...csi,
          controllerPublishSecretRef: { name: "A_", namespace: "n" },
          controllerExpandSecretRef: { name: "s", namespace: "A." },
          nodeExpandSecretRef: { name: "s" },
        },
      },
      [
        expect.stringContaining(
          'spec.csi.controllerPublishSecretRef.name: Invalid value: "A_": a lowercase RFC 1123',
        ),
        expect.stringContaining(
          'spec.csi.controllerExpandSecretRef.namespace: Invalid value: "A.": a lowercase RFC 1123 label',
        ),
        "spec.csi.nodeExpandSecretRef.namespace: Required value",
      ],
    ],
    [
      "a long name of a driver",
      { hostPath: null, csi: { driver: "d".repeat(64), volumeHandle: "h" } },
      ["spec.csi.driver: Too long: may not be more than 63 bytes"],
    ],
  ])("%s", async (_title, change, findings) => {
    const send = testClient(quietCluster());
    const body = { metadata: { name: "v" }, spec: { ...good, ...change } };
    expect((await send("POST", path, body)).findings).toEqual(findings);
  });
});
