import { listAt, objectAt, sizeAt, textAt, valueAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { type Edit, editedAt, editedEach, withField, without } from "../../../apimachinery/object-edits.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { type GatedFields, gatedField, gatedFieldsDropper } from "../../../registry/contract/gated-fields.ts";
import { containersWithPath } from "./container-paths.ts";
import { editedAffinityTerms, editedContainers, editedVolumes } from "./pod-edits.ts";

/** Drops fields of a spec or a status. */
export type PodFieldsDropper = (
  object: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
) => JsonObject;

const ofSpec: readonly GatedFields[] = [
  ...fields("EphemeralContainers", "ephemeralContainers"),
  ...fields("EvenPodsSpread", "topologySpreadConstraints"),
  ...fields("GenericWorkload", "workloadRef", "schedulingGroup"),
  ...fields("HostnameOverride", "hostnameOverride"),
  ...fields("IdentifyPodOS", "os"),
  ...fields("NonPreemptingPriority", "preemptionPolicy"),
  ...fields("PodLevelResources", "resources"),
  ...fields("PodOverhead", "overhead"),
  ...fields("PodSchedulingReadiness", "schedulingGates"),
  ...fields("PodShareProcessNamespace", "shareProcessNamespace"),
  ...fields("SetHostnameAsFQDN", "setHostnameAsFQDN"),
  ...fields("UserNamespacesSupport", "hostUsers"),
  ofContainers("InPlacePodVerticalScaling", (container) => without(container, ["resizePolicy"])),
  ofContainers("BlockVolume", (container) => without(container, ["volumeDevices"])),
  ofContainers("StartupProbe", (container) => without(container, ["startupProbe"])),
  ofMounts("RecursiveReadOnlyMounts", "recursiveReadOnly"),
  ofMounts("VolumeSubpath", "subPath"),
  { ...ofMounts("VolumeSubpath", "subPathExpr"), requires: "VolumeSubpathEnvExpansion" },
  ofContainers("EnvFiles", (container) =>
    editedEach(container, "env", (variable) =>
      editedAt(variable, "valueFrom", (source) => without(source, ["fileKeyRef"])),
    ),
  ),
  ofContainers("ContainerStopSignals", (container) =>
    editedAt(container, "lifecycle", (lifecycle) => without(lifecycle, ["stopSignal"])),
  ),
  ofContainers("PodLifecycleSleepAction", (container) =>
    editedAt(container, "lifecycle", (lifecycle) =>
      editedFields(lifecycle, ["postStart", "preStop"], (hook) => without(hook, ["sleep"])),
    ),
  ),
  ofProbes("ProbeTerminationGracePeriod", "terminationGracePeriodSeconds"),
  ofProbes("GRPCContainerProbe", "grpc"),
  {
    gate: "SidecarContainers",
    drop: (spec) => editedEach(spec, "initContainers", (container) => without(container, ["restartPolicy"])),
  },
  { gate: "ContainerRestartRules", since: "1.34", drop: withoutRestartRules },
  {
    gate: "DynamicResourceAllocation",
    isInUse: (old) => sizeAt(old, "resourceClaims") > 0,
    drop: (spec) => editedContainers(without(spec, ["resourceClaims"]), withoutClaims),
  },
  {
    gate: "ProcMountType",
    isInUse: (old) => containersWithPath(old, "").some(({ container }) => unmasks(container)),
    drop: (spec) => editedContainers(spec, withDefaultProcMount),
  },
  ofVolumes("CSIInlineVolume", (volume) => without(volume, ["csi"])),
  ofVolumes("GenericEphemeralVolume", (volume) => without(volume, ["ephemeral"])),
  ofVolumes("LocalStorageCapacityIsolation", (volume) =>
    editedAt(volume, "emptyDir", (directory) => without(directory, ["sizeLimit"])),
  ),
  { gate: "ImageVolume", drop: withoutImageVolumes },
  ofProjections("ClusterTrustBundleProjection", "clusterTrustBundle"),
  ofProjections("PodCertificateRequest", "podCertificate"),
  ofProjections("TokenRequestProjection", "serviceAccountToken"),
  ofSecurityContext("ConfigurableFSGroupPolicy", "fsGroupChangePolicy"),
  ofSecurityContext("SELinuxChangePolicy", "seLinuxChangePolicy"),
  ofSecurityContext("SupplementalGroupsPolicy", "supplementalGroupsPolicy"),
  ofSecurityContext("Sysctls", "sysctls"),
  ofEverySecurityContext("RunAsGroup", (context) => without(context, ["runAsGroup"])),
  {
    ...ofEverySecurityContext("AppArmorFields", (context) => without(context, ["appArmorProfile"])),
    requires: "AppArmor",
  },
  ofWindowsOptions("WindowsGMSA", "gmsaCredentialSpec", "gmsaCredentialSpecName"),
  ofWindowsOptions("WindowsRunAsUserName", "runAsUserName"),
  ofSpread("MatchLabelKeysInPodTopologySpread", "matchLabelKeys"),
  ofSpread("MinDomainsInPodTopologySpread", "minDomains"),
  ofSpread("NodeInclusionPolicyInPodTopologySpread", "nodeAffinityPolicy", "nodeTaintsPolicy"),
  ofAffinity("MatchLabelKeysInPodAffinity", "matchLabelKeys", "mismatchLabelKeys"),
  ofAffinity("PodAffinityNamespaceSelector", "namespaceSelector"),
];

const statusLists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];

const ofStatus: readonly GatedFields[] = [
  ...fields("EphemeralContainers", "ephemeralContainerStatuses"),
  ...fields("PodHostIPs", "hostIPs"),
  ...fields("DRAExtendedResource", "extendedResourceClaimStatus"),
  ...fields("DRANodeAllocatableResources", "nodeAllocatableResourceClaimStatuses"),
  {
    gate: "InPlacePodLevelResourcesVerticalScaling",
    drop: (status) => without(status, ["resources", "allocatedResources"]),
  },
  {
    gate: "IPv6DualStack",
    drop: (status) => {
      const [first, ...others] = listAt(status, "podIPs");
      return first === undefined || others.length === 0 ? status : withField(status, "podIPs", [first]);
    },
  },
  {
    gate: "InPlacePodVerticalScaling",
    isInUse: (old) => hasInStatus(old, "resources") || hasInStatus(old, "allocatedResources"),
    drop: (status) =>
      editedStatuses(without(status, ["resize"]), (container) =>
        without(container, ["resources", "allocatedResources"]),
      ),
  },
  {
    gate: "DynamicResourceAllocation",
    isInUse: (old) => sizeAt(old, "resourceClaimStatuses") > 0,
    drop: (status) => without(status, ["resourceClaimStatuses"]),
  },
  {
    gate: "PodObservedGenerationTracking",
    drop: (status) =>
      editedEach(without(status, ["observedGeneration"]), "conditions", (condition) =>
        without(condition, ["observedGeneration"]),
      ),
  },
  ofStatuses("RecursiveReadOnlyMounts", (container) => without(container, ["volumeMounts"])),
  ofStatuses("ImageVolumeWithDigest", (container) =>
    editedEach(container, "volumeMounts", (mount) => without(mount, ["volumeStatus"])),
  ),
  ofStatuses("ResourceHealthStatus", (container) => without(container, ["allocatedResourcesStatus"])),
  ofStatuses("ResourceHealthStatusMessage", (container) =>
    editedEach(container, "allocatedResourcesStatus", (one) =>
      editedEach(one, "resources", (health) => without(health, ["message"])),
    ),
  ),
  ofStatuses("SupplementalGroupsPolicy", (container) => without(container, ["user"])),
];

/**
 * The spec of a pod without the fields of disabled features, unless `old` uses them. Upstream: pkg/api/pod/util.go,
 * DropDisabledPodFields.
 */
export const withoutDisabledFields: PodFieldsDropper = gatedFieldsDropper(ofSpec);

/** The status of a pod without the fields of disabled features, unless `old` uses them. */
export const withoutDisabledStatusFields: PodFieldsDropper = gatedFieldsDropper(ofStatus);

/** Fields of the object itself, each of which is kept or dropped on its own. */
function fields(gate: string, ...names: readonly string[]): readonly GatedFields[] {
  return names.map((name) => gatedField(gate, name));
}

function ofContainers(gate: string, edit: Edit): GatedFields {
  return { gate, drop: (spec) => editedContainers(spec, edit) };
}

function ofMounts(gate: string, field: string): GatedFields {
  return ofContainers(gate, (container) =>
    editedEach(container, "volumeMounts", (mount) => without(mount, [field])),
  );
}

function ofProbes(gate: string, field: string): GatedFields {
  const probes = ["livenessProbe", "readinessProbe", "startupProbe"];
  return ofContainers(gate, (container) =>
    editedFields(container, probes, (probe) => without(probe, [field])),
  );
}

/** Drops image volumes and their mounts. */
function withoutImageVolumes(spec: JsonObject): JsonObject {
  const volumes = listAt(spec, "volumes");
  const isImage = (volume: JsonObject): boolean => objectAt(volume, "image") !== undefined;
  const images = volumes.filter(isImage);
  if (images.length === 0) return spec;
  const names = new Set(images.map((volume) => textAt(volume, "name")));
  const edited = withField(spec, "volumes", unlessEmpty(volumes.filter((volume) => !isImage(volume))));
  return editedContainers(edited, (container) => {
    const mounts = listAt(container, "volumeMounts");
    const kept = mounts.filter((mount) => !names.has(textAt(mount, "name")));
    return kept.length === mounts.length
      ? container
      : withField(container, "volumeMounts", unlessEmpty(kept));
  });
}

function unlessEmpty(list: readonly JsonObject[]): readonly JsonObject[] | undefined {
  return list.length === 0 ? undefined : list;
}

function ofVolumes(gate: string, edit: Edit): GatedFields {
  return { gate, drop: (spec) => editedVolumes(spec, edit) };
}

function ofProjections(gate: string, field: string): GatedFields {
  return ofVolumes(gate, (volume) =>
    editedAt(volume, "projected", (projected) =>
      editedEach(projected, "sources", (source) => without(source, [field])),
    ),
  );
}

function ofSecurityContext(gate: string, field: string): GatedFields {
  return {
    gate,
    isInUse: (old) => valueAt(old, "securityContext", field) !== undefined,
    drop: (spec) => editedAt(spec, "securityContext", (context) => without(context, [field])),
  };
}

/** Edits the security contexts of the pod and of its containers. */
function ofEverySecurityContext(gate: string, edit: Edit): GatedFields {
  const editHolder: Edit = (holder) => editedAt(holder, "securityContext", edit);
  return { gate, drop: (spec) => editedContainers(editHolder(spec), editHolder) };
}

function ofWindowsOptions(gate: string, ...names: readonly string[]): GatedFields {
  return ofEverySecurityContext(gate, (context) =>
    editedAt(context, "windowsOptions", (options) => without(options, names)),
  );
}

function ofSpread(gate: string, ...names: readonly string[]): GatedFields {
  const edit: Edit = (constraint) => without(constraint, names);
  return { gate, drop: (spec) => editedEach(spec, "topologySpreadConstraints", edit) };
}

function ofAffinity(gate: string, ...names: readonly string[]): GatedFields {
  return { gate, drop: (spec) => editedAffinityTerms(spec, (term) => without(term, names)) };
}

function editedFields(object: JsonObject, names: readonly string[], edit: Edit): JsonObject {
  return names.reduce((edited, name) => editedAt(edited, name, edit), object);
}

function withoutClaims(container: JsonObject): JsonObject {
  return editedAt(container, "resources", (resources) => without(resources, ["claims"]));
}

/** Drops the restart rules and policies, except the policy that makes an init container a sidecar. */
function withoutRestartRules(spec: JsonObject): JsonObject {
  const sidecars = new Set(
    listAt(spec, "initContainers").filter(({ restartPolicy }) => restartPolicy === "Always"),
  );
  return editedContainers(spec, (container) =>
    without(
      container,
      sidecars.has(container) ? ["restartPolicyRules"] : ["restartPolicyRules", "restartPolicy"],
    ),
  );
}

function unmasks(container: JsonObject): boolean {
  const procMount = textAt(container, "securityContext", "procMount");
  return procMount !== "" && procMount !== "Default";
}

/**
 * Resets the field instead of dropping it: it used to be always set, and an update of an old object must not change
 * it.
 */
function withDefaultProcMount(container: JsonObject): JsonObject {
  return editedAt(container, "securityContext", (context) =>
    context["procMount"] === undefined ? context : withField(context, "procMount", "Default"),
  );
}

function hasInStatus(status: JsonObject, field: string): boolean {
  return statusLists.some((list) => listAt(status, list).some((container) => container[field] !== undefined));
}

function editedStatuses(status: JsonObject, edit: Edit): JsonObject {
  return statusLists.reduce((edited, list) => editedEach(edited, list, edit), status);
}

function ofStatuses(gate: string, edit: Edit): GatedFields {
  return { gate, drop: (status) => editedStatuses(status, edit) };
}
