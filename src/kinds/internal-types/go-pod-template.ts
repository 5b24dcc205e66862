import { objectAt } from "../../apimachinery/fields.ts";
import { goJson } from "../../apimachinery/go/go-json.ts";
import {
  type GoField,
  type GoStructType,
  type GoType,
  goBoolean,
  goInteger,
  goMap,
  goPointer,
  goQuantity,
  goSlice,
  goStruct,
  goText,
  goTextMap,
  goTexts,
  goType,
} from "../../apimachinery/go/go-type.ts";
import { type GoValue, go } from "../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import { goFieldName } from "./go-field-name.ts";
import { structOf } from "./internal-shape.ts";
import { podSpecJson } from "./pod-diff.ts";

/** Fields of one type by JSON name. */
function fields(type: GoType, ...names: readonly string[]): readonly GoField[] {
  return names.map((name) => [goFieldName(name), name, type]);
}

/** Pointers by JSON name and type: `["emptyDir", "core.EmptyDirVolumeSource"]`. */
function pointers(...entries: readonly (readonly [name: string, type: string])[]): readonly GoField[] {
  return entries.map(([name, type]) => [goFieldName(name), name, goPointer(type)]);
}

function listOf(name: string, type: string, elements: readonly GoField[]): GoField {
  return [goFieldName(name), name, goSlice(type, goStruct(type, elements))];
}

const resourceList = goMap("core.ResourceList", goQuantity);

const resources = goStruct("core.ResourceRequirements", [
  ...fields(resourceList, "limits", "requests"),
  listOf("claims", "core.ResourceClaim", fields(goText, "name", "request")),
]);

const volumeSource = goStruct(
  "core.VolumeSource",
  pointers(
    ["hostPath", "core.HostPathVolumeSource"],
    ["emptyDir", "core.EmptyDirVolumeSource"],
    ["gcePersistentDisk", "core.GCEPersistentDiskVolumeSource"],
    ["awsElasticBlockStore", "core.AWSElasticBlockStoreVolumeSource"],
    ["gitRepo", "core.GitRepoVolumeSource"],
    ["secret", "core.SecretVolumeSource"],
    ["nfs", "core.NFSVolumeSource"],
    ["iscsi", "core.ISCSIVolumeSource"],
    ["glusterfs", "core.GlusterfsVolumeSource"],
    ["persistentVolumeClaim", "core.PersistentVolumeClaimVolumeSource"],
    ["rbd", "core.RBDVolumeSource"],
    ["flexVolume", "core.FlexVolumeSource"],
    ["cinder", "core.CinderVolumeSource"],
    ["cephfs", "core.CephFSVolumeSource"],
    ["flocker", "core.FlockerVolumeSource"],
    ["downwardAPI", "core.DownwardAPIVolumeSource"],
    ["fc", "core.FCVolumeSource"],
    ["azureFile", "core.AzureFileVolumeSource"],
    ["configMap", "core.ConfigMapVolumeSource"],
    ["vsphereVolume", "core.VsphereVirtualDiskVolumeSource"],
    ["quobyte", "core.QuobyteVolumeSource"],
    ["azureDisk", "core.AzureDiskVolumeSource"],
    ["photonPersistentDisk", "core.PhotonPersistentDiskVolumeSource"],
    ["projected", "core.ProjectedVolumeSource"],
    ["portworxVolume", "core.PortworxVolumeSource"],
    ["scaleIO", "core.ScaleIOVolumeSource"],
    ["storageos", "core.StorageOSVolumeSource"],
    ["csi", "core.CSIVolumeSource"],
    ["ephemeral", "core.EphemeralVolumeSource"],
    ["image", "core.ImageVolumeSource"],
  ),
);

const containerFields: readonly GoField[] = [
  ...fields(goText, "name", "image"),
  ...fields(goTexts, "command", "args"),
  ...fields(goText, "workingDir"),
  listOf("ports", "core.ContainerPort", [
    ...fields(goText, "name"),
    ...fields(goInteger, "hostPort", "containerPort"),
    ...fields(goText, "protocol", "hostIP"),
  ]),
  listOf("envFrom", "core.EnvFromSource", [
    ...fields(goText, "prefix"),
    ...pointers(["configMapRef", "core.ConfigMapEnvSource"], ["secretRef", "core.SecretEnvSource"]),
  ]),
  listOf("env", "core.EnvVar", [
    ...fields(goText, "name", "value"),
    ...pointers(["valueFrom", "core.EnvVarSource"]),
  ]),
  ...fields(resources, "resources"),
  listOf("resizePolicy", "core.ContainerResizePolicy", fields(goText, "resourceName", "restartPolicy")),
  ...pointers(["restartPolicy", "core.ContainerRestartPolicy"]),
  listOf("volumeMounts", "core.VolumeMount", [
    ...fields(goText, "name"),
    ...fields(goBoolean, "readOnly"),
    ...pointers(["recursiveReadOnly", "core.RecursiveReadOnlyMode"]),
    ...fields(goText, "mountPath", "subPath"),
    ...pointers(["mountPropagation", "core.MountPropagationMode"]),
    ...fields(goText, "subPathExpr"),
  ]),
  listOf("volumeDevices", "core.VolumeDevice", fields(goText, "name", "devicePath")),
  ...pointers(
    ["livenessProbe", "core.Probe"],
    ["readinessProbe", "core.Probe"],
    ["startupProbe", "core.Probe"],
    ["lifecycle", "core.Lifecycle"],
  ),
  ...fields(goText, "terminationMessagePath", "terminationMessagePolicy", "imagePullPolicy"),
  ...pointers(["securityContext", "core.SecurityContext"]),
  ...fields(goBoolean, "stdin", "stdinOnce", "tty"),
];

const podSpec = goStruct("core.PodSpec", [
  [
    "Volumes",
    "volumes",
    goSlice(
      "core.Volume",
      goStruct("core.Volume", [...fields(goText, "name"), ["VolumeSource", undefined, volumeSource]]),
    ),
  ],
  listOf("initContainers", "core.Container", containerFields),
  listOf("containers", "core.Container", containerFields),
  // Templates have no ephemeral containers.
  listOf("ephemeralContainers", "core.EphemeralContainer", []),
  ...fields(goText, "restartPolicy"),
  ...pointers(["terminationGracePeriodSeconds", "int64"], ["activeDeadlineSeconds", "int64"]),
  ...fields(goText, "dnsPolicy"),
  ...fields(goTextMap, "nodeSelector"),
  ...fields(goText, "serviceAccountName"),
  ...pointers(["automountServiceAccountToken", "bool"]),
  ...fields(goText, "nodeName"),
  ...pointers(["securityContext", "core.PodSecurityContext"]),
  listOf("imagePullSecrets", "core.LocalObjectReference", fields(goText, "name")),
  ...fields(goText, "hostname", "subdomain"),
  ...pointers(["setHostnameAsFQDN", "bool"], ["affinity", "core.Affinity"]),
  ...fields(goText, "schedulerName"),
  listOf("tolerations", "core.Toleration", [
    ...fields(goText, "key", "operator", "value", "effect"),
    ...pointers(["tolerationSeconds", "int64"]),
  ]),
  listOf("hostAliases", "core.HostAlias", [...fields(goText, "ip"), ...fields(goTexts, "hostnames")]),
  ...fields(goText, "priorityClassName"),
  ...pointers(
    ["priority", "int32"],
    ["preemptionPolicy", "core.PreemptionPolicy"],
    ["dnsConfig", "core.PodDNSConfig"],
  ),
  listOf("readinessGates", "core.PodReadinessGate", fields(goText, "conditionType")),
  ...pointers(["runtimeClassName", "string"]),
  ...fields(resourceList, "overhead"),
  ...pointers(["enableServiceLinks", "bool"]),
  listOf("topologySpreadConstraints", "core.TopologySpreadConstraint", [
    ...fields(goInteger, "maxSkew"),
    ...fields(goText, "topologyKey", "whenUnsatisfiable"),
    ...pointers(
      ["labelSelector", "v1.LabelSelector"],
      ["minDomains", "int32"],
      ["nodeAffinityPolicy", "core.NodeInclusionPolicy"],
      ["nodeTaintsPolicy", "core.NodeInclusionPolicy"],
    ),
    ...fields(goTexts, "matchLabelKeys"),
  ]),
  ...pointers(["os", "core.PodOS"]),
  listOf("schedulingGates", "core.PodSchedulingGate", fields(goText, "name")),
  listOf("resourceClaims", "core.PodResourceClaim", [
    ...fields(goText, "name"),
    ...pointers(["resourceClaimName", "string"], ["resourceClaimTemplateName", "string"]),
  ]),
  ...pointers(["resources", "core.ResourceRequirements"]),
]);

/** Go's text of unset times, which are all that a template has. */
const noTime = goType(() => "time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)", goJson);
const noPointerToTime = goType(() => "<nil>", goJson);

/** The metadata of a template. */
export const goObjectMeta: GoStructType = goStruct("v1.ObjectMeta", [
  ...fields(goText, "name", "generateName", "namespace", "selfLink"),
  ["UID", "uid", goText],
  ...fields(goText, "resourceVersion"),
  ...fields(goInteger, "generation"),
  ...fields(noTime, "creationTimestamp"),
  ...fields(noPointerToTime, "deletionTimestamp"),
  ...pointers(["deletionGracePeriodSeconds", "int64"]),
  ...fields(goTextMap, "labels", "annotations"),
  listOf("ownerReferences", "v1.OwnerReference", [
    ["APIVersion", "apiVersion", goText],
    ...fields(goText, "kind", "name"),
    ["UID", "uid", goText],
    ...pointers(["controller", "bool"], ["blockOwnerDeletion", "bool"]),
  ]),
  ...fields(goTexts, "finalizers"),
  listOf("managedFields", "v1.ManagedFieldsEntry", []),
]);

/** The internal type of a pod template. */
const goPodTemplateSpec: GoType = goStruct("core.PodTemplateSpec", [
  ["ObjectMeta", "metadata", goObjectMeta],
  ["Spec", "spec", podSpec],
]);

/** A pod template as errors show it; `schema` is that of PodTemplateSpec. */
export function shownPodTemplate(schema: StructSchema, template: JsonObject): GoValue {
  const spec = podSpecJson(structOf(schema, "spec"), objectAt(template, "spec") ?? {});
  const members = [...goObjectMeta.members(template["metadata"]), `"Spec":${spec}`];
  return go.raw(goPodTemplateSpec(template), `{${members.join(",")}}`);
}
