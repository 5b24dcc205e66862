import type { Statement } from "../statement.ts";
import { core, kindStatements, letters } from "./kind-cases.ts";

export const volumesStatements: readonly Statement[] = [
  ...kindStatements(
    {
      subject: "a PersistentVolume",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidatePersistentVolumes",
      target: "/api/v1/persistentvolumes",
      body: (changes) => ({
        spec: {
          capacity: { storage: "10G" },
          accessModes: ["ReadWriteOnce"],
          hostPath: { path: "/foo", type: "Directory" },
          ...changes,
        },
      }),
    },
    [
      ["ok", {}],
      ["retain", { persistentVolumeReclaimPolicy: "Retain" }],
      ["bad path ..", { hostPath: { path: "/foo/.." } }, "spec.hostPath.path"],
      [
        "root recycle",
        { hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" },
        "spec.persistentVolumeReclaimPolicy",
      ],
      [
        "root recycle ///a/..",
        { hostPath: { path: "/a/.." }, persistentVolumeReclaimPolicy: "Recycle" },
        "spec.hostPath.path",
      ],
      ["bad hostpath type", { hostPath: { path: "/foo", type: "Q" } }, "spec.hostPath.type"],
      ["no source", { hostPath: null }, "spec"],
      ["two sources", { nfs: { server: "a", path: "/x" } }, "spec.nfs"],
      ["bad reclaim", { persistentVolumeReclaimPolicy: "fake" }, "spec.persistentVolumeReclaimPolicy"],
      ["no capacity", { capacity: null }, "spec.capacity"],
      ["zero capacity", { capacity: { storage: "0" } }, "spec.capacity[storage]"],
      ["neg capacity", { capacity: { storage: "-1" } }, "spec.capacity[storage]"],
      ["extra capacity", { capacity: { storage: "1", cpu: "1" } }, "spec.capacity"],
      ["no modes", { accessModes: [] }, "spec.accessModes"],
      ["rwop", { accessModes: ["ReadWriteOncePod"] }],
      ["rwop+rwo", { accessModes: ["ReadWriteOncePod", "ReadWriteOnce"] }, "spec.accessModes"],
      ["bad mode", { accessModes: ["fake"] }, "spec.accessModes"],
      ["empty storageclass", { storageClassName: "" }],
      ["bad storageclass", { storageClassName: "-invalid" }, "spec.storageClassName"],
      ["volumeMode bad", { volumeMode: "fake" }, "spec.volumeMode"],
      ["volumeMode block", { volumeMode: "Block" }],
      ["claimRef partial", { claimRef: { name: "c", namespace: "ns" } }],
      ["affinity none required", { nodeAffinity: {} }, "spec.nodeAffinity.required"],
      [
        "affinity",
        {
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: "foo", operator: "In", values: ["a"] }] }],
            },
          },
        },
      ],
      [
        "affinity empty terms",
        { nodeAffinity: { required: { nodeSelectorTerms: [] } } },
        "spec.nodeAffinity.required.nodeSelectorTerms",
      ],
      ["local no affinity", { hostPath: null, local: { path: "/x" } }, "spec.nodeAffinity"],
      [
        "local ..",
        {
          hostPath: null,
          local: { path: "/x/.." },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: "foo", operator: "In", values: ["a"] }] }],
            },
          },
        },
        "spec.local.path",
      ],
      ["csi no driver", { hostPath: null, csi: { volumeHandle: "x" } }, "spec.csi.driver"],
      ["csi no handle", { hostPath: null, csi: { driver: "d" } }, "spec.csi.volumeHandle"],
      ["csi bad driver", { hostPath: null, csi: { driver: "UPPER_", volumeHandle: "x" } }, "spec.csi.driver"],
      [
        "csi long driver",
        { hostPath: null, csi: { driver: letters(64), volumeHandle: "x" } },
        "spec.csi.driver",
      ],
      [
        "csi secret no ns",
        {
          hostPath: null,
          csi: { driver: "d", volumeHandle: "x", controllerPublishSecretRef: { name: "s" } },
        },
        "spec.csi.controllerPublishSecretRef.namespace",
      ],
      [
        "csi expand secret no name",
        {
          hostPath: null,
          csi: { driver: "d", volumeHandle: "x", controllerExpandSecretRef: { namespace: "s" } },
        },
        "spec.csi.controllerExpandSecretRef.name",
      ],
      [
        "iscsi",
        { hostPath: null, iscsi: { targetPortal: "127.0.0.1", iqn: "iqn.2015-02.example.com:test", lun: 1 } },
      ],
      [
        "iscsi bad iqn",
        {
          hostPath: null,
          iscsi: { targetPortal: "127.0.0.1", iqn: "iqn.2015-02.example.com:test;ls;", lun: 1 },
        },
        "spec.iscsi.iqn",
      ],
      [
        "iscsi eui",
        { hostPath: null, iscsi: { targetPortal: "127.0.0.1", iqn: "eui.0123456789abcdef", lun: 1 } },
      ],
      [
        "iscsi eui bad",
        { hostPath: null, iscsi: { targetPortal: "127.0.0.1", iqn: "eui.0123456789ABCDEFG", lun: 1 } },
        "spec.iscsi.iqn",
      ],
      [
        "iscsi naa",
        {
          hostPath: null,
          iscsi: { targetPortal: "127.0.0.1", iqn: "naa.62004567BA64678D0123456789ABCDEF", lun: 1 },
        },
      ],
      [
        "iscsi lun 256",
        {
          hostPath: null,
          iscsi: { targetPortal: "127.0.0.1", iqn: "iqn.2015-02.example.com:test", lun: 256 },
        },
        "spec.iscsi.lun",
      ],
      ["glusterfs path", { hostPath: null, glusterfs: { endpoints: "a", path: "p/.." } }],
      ["nfs rel path", { hostPath: null, nfs: { server: "a", path: "x" } }, "spec.nfs.path"],
      ["azureFile no ns", { hostPath: null, azureFile: { secretName: "s", shareName: "x" } }],
      [
        "azureFile empty ns",
        { hostPath: null, azureFile: { secretName: "s", shareName: "x", secretNamespace: "" } },
        "spec.azureFile.secretNamespace",
      ],
      [
        "azureDisk blob+readonly kind",
        { hostPath: null, azureDisk: { diskName: "d", diskURI: "blob:/x", kind: "Dedicated" } },
        "spec.azureDisk.diskURI",
      ],
      [
        "azureDisk uri",
        { hostPath: null, azureDisk: { diskName: "d", diskURI: "http://x", kind: "Managed" } },
        "spec.azureDisk.diskURI",
      ],
      ["flex no driver", { hostPath: null, flexVolume: {} }, "spec.flexVolume.driver"],
      [
        "flex reserved",
        { hostPath: null, flexVolume: { driver: "x/y", options: { "test.k8s.io/a": "b" } } },
        "spec.flexVolume.options[test.k8s.io/a]",
      ],
      ["quobyte reg", { hostPath: null, quobyte: { registry: "foo", volume: "x" } }, "spec.quobyte.registry"],
      ["quobyte ok", { hostPath: null, quobyte: { registry: "foo:123,bar:99", volume: "x" } }],
      ["storageos", { hostPath: null, storageos: { volumeName: "x", volumeNamespace: "ns" } }],
      [
        "scaleio empty",
        { hostPath: null, scaleIO: { gateway: "g", system: "s" } },
        "spec.scaleIO.volumeName",
      ],
      ["fc none", { hostPath: null, fc: {} }, "spec.fc.targetWWNs"],
      [
        "fc wwids+wwns",
        { hostPath: null, fc: { targetWWNs: ["a"], lun: 1, wwids: ["b"] } },
        "spec.fc.targetWWNs",
      ],
      ["fc no lun", { hostPath: null, fc: { targetWWNs: ["a"] } }, "spec.fc.lun"],
      ["mountOptions", { mountOptions: ["a", ""] }],
      ["vac empty", { volumeAttributesClassName: "" }],
    ],
  ),
  ...kindStatements(
    {
      subject: "a PersistentVolumeClaim",
      source: "kubernetes, pkg/apis/core/validation/validation_test.go, TestValidatePersistentVolumeClaim",
      target: `${core}/persistentvolumeclaims`,
      body: (changes) => ({
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10G" } }, ...changes },
      }),
    },
    [
      ["ok", {}],
      ["no modes", { accessModes: [] }, "spec.accessModes"],
      ["no req", { resources: {} }, "spec.resources[storage]"],
      ["neg", { resources: { requests: { storage: "-10G" } } }, "spec.resources[storage]"],
      ["zero", { resources: { requests: { storage: "0" } } }, "spec.resources[storage]"],
      ["bad class", { storageClassName: "@x" }, "spec.storageClassName"],
      ["empty class", { storageClassName: "" }],
      ["bad mode", { volumeMode: "fake" }, "spec.volumeMode"],
      [
        "selector op",
        { selector: { matchExpressions: [{ key: "k", operator: "Q" }] } },
        "spec.selector.matchExpressions[0].operator",
      ],
      ["ds no name", { dataSource: { kind: "PersistentVolumeClaim", name: "" } }, "spec.dataSource.name"],
      ["ds core kind", { dataSource: { kind: "ConfigMap", name: "x" } }],
      [
        "ds snap no group",
        { dataSource: { kind: "VolumeSnapshot", apiGroup: "snapshot.storage.k8s.io", name: "x" } },
      ],
      ["dsref core kind", { dataSourceRef: { kind: "ConfigMap", name: "x" } }, "spec.dataSource"],
      [
        "dsref diff",
        {
          dataSource: { kind: "PersistentVolumeClaim", name: "x" },
          dataSourceRef: { kind: "PersistentVolumeClaim", name: "y" },
        },
        "spec",
      ],
      ["claims", { resources: { requests: { storage: "1" }, claims: [{ name: "x" }] } }],
      ["limits", { resources: { requests: { storage: "2" }, limits: { storage: "1" } } }],
    ],
  ),
];
