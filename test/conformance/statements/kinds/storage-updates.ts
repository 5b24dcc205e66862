import type { Statement } from "../statement.ts";
import { type KindUpdate, updateStatements } from "./kind-updates.ts";

const core = "/api/v1/namespaces/updates";
const persistentVolumes = "/api/v1/persistentvolumes";
const persistentVolume = (spec: object) => ({
  spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" }, ...spec },
});
const claims = `${core}/persistentvolumeclaims`;
const claim = (spec: object) => ({
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } }, ...spec },
});
const storageClasses = "/apis/storage.k8s.io/v1/storageclasses";
const storageClass = (f: object) => ({ provisioner: "a.b/c", ...f });
const csiDrivers = "/apis/storage.k8s.io/v1/csidrivers";
const csiNodes = "/apis/storage.k8s.io/v1/csinodes";
const attachments = "/apis/storage.k8s.io/v1/volumeattachments";

const updates: readonly KindUpdate[] = [
  [
    "PersistentVolume: source",
    persistentVolumes,
    persistentVolume({}),
    { spec: { hostPath: { path: "/b" } } },
    "refused",
  ],
  [
    "PersistentVolume: capacity",
    persistentVolumes,
    persistentVolume({}),
    { spec: { capacity: { storage: "2Gi" } } },
    "accepted",
  ],
  [
    "PersistentVolume: modes",
    persistentVolumes,
    persistentVolume({}),
    { spec: { accessModes: ["ReadOnlyMany"] } },
    "accepted",
  ],
  [
    "PersistentVolume: reclaim",
    persistentVolumes,
    persistentVolume({}),
    { spec: { persistentVolumeReclaimPolicy: "Delete" } },
    "accepted",
  ],
  [
    "PersistentVolume: class",
    persistentVolumes,
    persistentVolume({ storageClassName: "a" }),
    { spec: { storageClassName: "b" } },
    "accepted",
  ],
  [
    "PersistentVolume: volumeMode",
    persistentVolumes,
    persistentVolume({}),
    { spec: { volumeMode: "Block" } },
    "refused",
  ],
  [
    "PersistentVolume: affinity set",
    persistentVolumes,
    persistentVolume({}),
    {
      spec: {
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }] },
        },
      },
    },
    "accepted",
  ],
  [
    "PersistentVolume: affinity change",
    persistentVolumes,
    persistentVolume({
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }] },
      },
    }),
    {
      spec: {
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "b", operator: "Exists" }] }] },
        },
      },
    },
    "refused",
  ],
  [
    "PersistentVolume: affinity beta label",
    persistentVolumes,
    persistentVolume({
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: "failure-domain.beta.kubernetes.io/zone", operator: "In", values: ["z"] },
              ],
            },
          ],
        },
      },
    }),
    {
      spec: {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["z"] }] },
            ],
          },
        },
      },
    },
    "accepted",
  ],
  [
    "PersistentVolumeClaim: grow unbound",
    claims,
    claim({}),
    { spec: { resources: { requests: { storage: "3Gi" } } } },
    "refused",
  ],
  [
    "PersistentVolumeClaim: shrink",
    claims,
    claim({}),
    { spec: { resources: { requests: { storage: "1Gi" } } } },
    "refused",
  ],
  ["PersistentVolumeClaim: modes", claims, claim({}), { spec: { accessModes: ["ReadOnlyMany"] } }, "refused"],
  ["PersistentVolumeClaim: volumeName", claims, claim({}), { spec: { volumeName: "v" } }, "accepted"],
  ["PersistentVolumeClaim: class set", claims, claim({}), { spec: { storageClassName: "x" } }, "accepted"],
  [
    "PersistentVolumeClaim: class change",
    claims,
    claim({ storageClassName: "a" }),
    { spec: { storageClassName: "b" } },
    "refused",
  ],
  ["PersistentVolumeClaim: mode", claims, claim({}), { spec: { volumeMode: "Block" } }, "refused"],
  [
    "StorageClass: params",
    storageClasses,
    storageClass({ parameters: { a: "b" } }),
    { parameters: { a: "c" } },
    "refused",
  ],
  ["StorageClass: provisioner", storageClasses, storageClass({}), { provisioner: "x" }, "refused"],
  ["StorageClass: reclaim", storageClasses, storageClass({}), { reclaimPolicy: "Retain" }, "refused"],
  [
    "StorageClass: binding",
    storageClasses,
    storageClass({}),
    { volumeBindingMode: "WaitForFirstConsumer" },
    "refused",
  ],
  ["StorageClass: expansion", storageClasses, storageClass({}), { allowVolumeExpansion: true }, "accepted"],
  ["StorageClass: mountOptions", storageClasses, storageClass({}), { mountOptions: ["a"] }, "accepted"],
  [
    "StorageClass: topologies",
    storageClasses,
    storageClass({}),
    { allowedTopologies: [{ matchLabelExpressions: [{ key: "a", values: ["b"] }] }] },
    "accepted",
  ],
  ["CSIDriver: attachRequired", csiDrivers, { spec: {} }, { spec: { attachRequired: false } }, "refused"],
  ["CSIDriver: podInfo", csiDrivers, { spec: {} }, { spec: { podInfoOnMount: true } }, "accepted"],
  ["CSIDriver: capacity", csiDrivers, { spec: {} }, { spec: { storageCapacity: true } }, "accepted"],
  ["CSIDriver: fsGroup", csiDrivers, { spec: {} }, { spec: { fsGroupPolicy: "File" } }, "accepted"],
  [
    "CSIDriver: modes",
    csiDrivers,
    { spec: {} },
    { spec: { volumeLifecycleModes: ["Ephemeral"] } },
    "refused",
  ],
  [
    "CSIDriver: seLinux",
    csiDrivers,
    { spec: {} },
    { spec: { seLinuxMount: true, requiresRepublish: true, tokenRequests: [{ audience: "x" }] } },
    "accepted",
  ],
  [
    "CSINode: driver change",
    csiNodes,
    { spec: { drivers: [{ name: "a", nodeID: "x" }] } },
    { spec: { drivers: [{ name: "a", nodeID: "y" }] } },
    "refused",
  ],
  [
    "CSINode: driver add",
    csiNodes,
    { spec: { drivers: [{ name: "a", nodeID: "x" }] } },
    {
      spec: {
        drivers: [
          { name: "a", nodeID: "x" },
          { name: "b", nodeID: "y" },
        ],
      },
    },
    "accepted",
  ],
  [
    "CSINode: driver remove",
    csiNodes,
    { spec: { drivers: [{ name: "a", nodeID: "x" }] } },
    { spec: { drivers: [] } },
    "accepted",
  ],
  [
    "VolumeAttachment: attacher",
    attachments,
    { spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "p" } } },
    { spec: { attacher: "b" } },
    "refused",
  ],
  [
    "VolumeAttachment: node",
    attachments,
    { spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "p" } } },
    { spec: { nodeName: "b" } },
    "refused",
  ],
];

export const storageUpdateStatements: readonly Statement[] = updateStatements("storage", updates);
