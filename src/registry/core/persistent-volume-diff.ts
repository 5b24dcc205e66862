import type { JsonObject } from "../../apimachinery/json.ts";
import { type StructField, structDiff } from "./struct-diff.ts";

/** In the order of upstream's internal type. */
const sourceFields: readonly StructField[] = [
  ["GCEPersistentDisk", "gcePersistentDisk"],
  ["AWSElasticBlockStore", "awsElasticBlockStore"],
  ["HostPath", "hostPath"],
  ["Glusterfs", "glusterfs"],
  ["NFS", "nfs"],
  ["RBD", "rbd"],
  ["Quobyte", "quobyte"],
  ["ISCSI", "iscsi"],
  ["FlexVolume", "flexVolume"],
  ["Cinder", "cinder"],
  ["CephFS", "cephfs"],
  ["FC", "fc"],
  ["Flocker", "flocker"],
  ["AzureFile", "azureFile"],
  ["VsphereVolume", "vsphereVolume"],
  ["AzureDisk", "azureDisk"],
  ["PhotonPersistentDisk", "photonPersistentDisk"],
  ["PortworxVolume", "portworxVolume"],
  ["ScaleIO", "scaleIO"],
  ["Local", "local"],
  ["StorageOS", "storageos"],
  ["CSI", "csi"],
].map(([name = "", jsonName = ""]) => field(name, jsonName, "pointer"));

const claimFields: readonly StructField[] = [
  field("AccessModes", "accessModes", "list"),
  field("Selector", "selector", "pointer"),
  field("Resources", "resources", "struct"),
  field("VolumeName", "volumeName", "text"),
  field("StorageClassName", "storageClassName", "pointer"),
  field("VolumeMode", "volumeMode", "pointer"),
  field("DataSource", "dataSource", "pointer"),
  field("DataSourceRef", "dataSourceRef", "pointer"),
  field("VolumeAttributesClassName", "volumeAttributesClassName", "pointer"),
];

/** How the source of a volume would have changed. */
export function volumeSourceDiff(old: JsonObject, now: JsonObject): string {
  return structDiff("core.PersistentVolumeSource", sourceFields, old, now);
}

/** How the spec of a claim would have changed. */
export function claimSpecDiff(old: JsonObject, now: JsonObject): string {
  return structDiff("core.PersistentVolumeClaimSpec", claimFields, old, now);
}

function field(name: string, jsonName: string, kind: StructField["kind"]): StructField {
  return { name, kind, read: (object) => object[jsonName] };
}
