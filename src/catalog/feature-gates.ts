import { type Release, type Since, sinceOf } from "../apimachinery/release.ts";

/**
 * The feature gates that change what a client sees, with the first release that enables each by default.
 * Gates that no release enables are not listed.
 */
const enabledSince: ReadonlyMap<string, Release> = new Map<string, Release>([
  ["AllowParsingUserUIDFromCertAuth", "1.33"],
  ["AnonymousAuthConfigurableEndpoints", "1.32"],
  ["AnyVolumeDataSource", "1.24"],
  ["APIPriorityAndFairness", "1.20"],
  ["APIResponseCompression", "1.16"],
  ["AppArmor", "1.16"],
  ["AppArmorFields", "1.30"],
  ["AuthorizeNodeWithSelectors", "1.32"],
  ["AuthorizeWithSelectors", "1.32"],
  ["BlockVolume", "1.16"],
  ["ComponentFlagz", "1.36"],
  ["ComponentSLIs", "1.27"],
  ["ComponentStatusz", "1.36"],
  ["ConfigurableFSGroupPolicy", "1.20"],
  ["ContainerRestartRules", "1.35"],
  ["CronJobTimeZone", "1.25"],
  ["CSIInlineVolume", "1.16"],
  ["CSIMigration", "1.17"],
  ["CSINodeExpandSecret", "1.27"],
  ["CSIServiceAccountToken", "1.21"],
  ["CSIServiceAccountTokenSecrets", "1.35"],
  ["CSIStorageCapacity", "1.21"],
  ["CSIVolumeFSGroupPolicy", "1.20"],
  ["CustomResourceFieldSelectors", "1.31"],
  ["CustomResourceValidationExpressions", "1.25"],
  ["DaemonSetUpdateSurge", "1.22"],
  ["DeploymentReplicaSetTerminatingReplicas", "1.35"],
  ["DisableNodeKubeProxyVersion", "1.33"],
  ["DRAAdminAccess", "1.34"],
  ["DRAConsumableCapacity", "1.36"],
  ["DRADeviceBindingConditions", "1.36"],
  ["DRADeviceTaints", "1.36"],
  ["DRAExtendedResource", "1.36"],
  ["DRAPartitionableDevices", "1.36"],
  ["DRAPrioritizedList", "1.34"],
  ["DRAResourceClaimDeviceStatus", "1.33"],
  ["DynamicKubeletConfig", "1.16"],
  ["DynamicResourceAllocation", "1.34"],
  ["ElasticIndexedJob", "1.27"],
  ["EndpointSliceNodeName", "1.21"],
  ["EndpointSliceTerminatingCondition", "1.22"],
  ["EnvFiles", "1.35"],
  ["EphemeralContainers", "1.23"],
  ["EvenPodsSpread", "1.18"],
  ["ExpandCSIVolumes", "1.16"],
  ["ExpandPersistentVolumes", "1.16"],
  ["GenericEphemeralVolume", "1.21"],
  ["GRPCContainerProbe", "1.24"],
  ["HostnameOverride", "1.35"],
  ["HPAConfigurableTolerance", "1.35"],
  ["HPAContainerMetrics", "1.27"],
  ["IdentifyPodOS", "1.24"],
  ["ImageVolume", "1.35"],
  ["ImmutableEphemeralVolumes", "1.19"],
  ["IndexedJob", "1.22"],
  ["IngressClassNamespacedParams", "1.22"],
  ["InPlacePodLevelResourcesVerticalScaling", "1.36"],
  ["InPlacePodVerticalScaling", "1.33"],
  ["InPlacePodVerticalScalingInitContainers", "1.36"],
  ["IPv6DualStack", "1.21"],
  ["JobBackoffLimitPerIndex", "1.29"],
  ["JobManagedBy", "1.32"],
  ["JobMutableNodeSchedulingDirectives", "1.23"],
  ["JobPodFailurePolicy", "1.26"],
  ["JobPodReplacementPolicy", "1.29"],
  ["JobSuccessPolicy", "1.31"],
  ["KubeletEnsureSecretPulledImages", "1.35"],
  ["LegacyServiceAccountTokenCleanUp", "1.29"],
  ["LegacyServiceAccountTokenTracking", "1.27"],
  ["LoadBalancerIPMode", "1.30"],
  ["LocalStorageCapacityIsolation", "1.16"],
  ["MatchLabelKeysInPodAffinity", "1.31"],
  ["MatchLabelKeysInPodTopologySpread", "1.27"],
  ["MaxUnavailableStatefulSet", "1.35"],
  ["MinDomainsInPodTopologySpread", "1.27"],
  ["MutableCSINodeAllocatableCount", "1.34"],
  ["MutatingAdmissionPolicy", "1.36"],
  ["NetworkPolicyEndPort", "1.22"],
  ["NodeDeclaredFeatures", "1.36"],
  ["NodeInclusionPolicyInPodTopologySpread", "1.26"],
  ["NonPreemptingPriority", "1.19"],
  ["OpenAPIV3", "1.24"],
  ["PDBUnhealthyPodEvictionPolicy", "1.27"],
  ["PersistentVolumeLastPhaseTransitionTime", "1.29"],
  ["PodAffinityNamespaceSelector", "1.22"],
  ["PodHostIPs", "1.29"],
  ["PodLevelResources", "1.34"],
  ["PodLifecycleSleepAction", "1.30"],
  ["PodLifecycleSleepActionAllowZero", "1.33"],
  ["PodObservedGenerationTracking", "1.34"],
  ["PodOverhead", "1.18"],
  ["PodReadyToStartContainersCondition", "1.29"],
  ["PodSchedulingReadiness", "1.27"],
  ["PodShareProcessNamespace", "1.16"],
  ["PortForwardWebsockets", "1.31"],
  ["PreferSameTrafficDistribution", "1.34"],
  ["ProbeTerminationGracePeriod", "1.25"],
  ["ProcMountType", "1.33"],
  ["RecoverVolumeExpansionFailure", "1.32"],
  ["RecursiveReadOnlyMounts", "1.31"],
  ["RelaxedDNSSearchValidation", "1.33"],
  ["RelaxedEnvironmentVariableValidation", "1.32"],
  ["RelaxedServiceNameValidation", "1.36"],
  ["RemoteRequestHeaderUID", "1.33"],
  ["RemoveSelfLink", "1.20"],
  ["ResourceHealthStatus", "1.36"],
  ["ResourceHealthStatusMessage", "1.36"],
  ["RestartAllContainersOnContainerExits", "1.36"],
  ["RunAsGroup", "1.16"],
  ["SELinuxChangePolicy", "1.33"],
  ["SELinuxMountReadWriteOncePod", "1.28"],
  ["ServerSideFieldValidation", "1.25"],
  ["ServiceAccountIssuerDiscovery", "1.20"],
  ["ServiceAccountTokenJTI", "1.30"],
  ["ServiceAccountTokenNodeBinding", "1.31"],
  ["ServiceAccountTokenNodeBindingValidation", "1.30"],
  ["ServiceAccountTokenPodNodeInfo", "1.30"],
  ["ServiceAppProtocol", "1.19"],
  ["ServiceInternalTrafficPolicy", "1.22"],
  ["ServiceLBNodePortControl", "1.22"],
  ["ServiceLoadBalancerClass", "1.22"],
  ["ServiceTrafficDistribution", "1.31"],
  ["SetHostnameAsFQDN", "1.20"],
  ["SidecarContainers", "1.29"],
  ["StartupProbe", "1.18"],
  ["StatefulSetAutoDeletePVC", "1.27"],
  ["StatefulSetMinReadySeconds", "1.23"],
  ["StatefulSetStartOrdinal", "1.27"],
  ["StructuredAuthenticationConfiguration", "1.30"],
  ["StructuredAuthenticationConfigurationEgressSelector", "1.34"],
  ["StructuredAuthorizationConfiguration", "1.30"],
  ["SupplementalGroupsPolicy", "1.33"],
  ["SuspendJob", "1.22"],
  ["Sysctls", "1.16"],
  ["TokenRequestProjection", "1.16"],
  ["TopologyAwareHints", "1.24"],
  ["TranslateStreamCloseWebsocketRequests", "1.30"],
  ["TTLAfterFinished", "1.21"],
  ["UserNamespacesSupport", "1.33"],
  ["ValidatingAdmissionPolicy", "1.30"],
  ["VolumeAttributesClass", "1.34"],
  ["VolumeSubpath", "1.16"],
  ["VolumeSubpathEnvExpansion", "1.16"],
  ["WatchList", "1.32"],
  ["WindowsGMSA", "1.16"],
  ["WindowsHostProcessContainers", "1.23"],
  ["WindowsRunAsUserName", "1.17"],
]);

/** Gates that later releases disabled again: the first of them, and the first that enables the gate after that. */
const disabledSince: ReadonlyMap<string, readonly [disabled: Release, enabled?: Release]> = new Map<
  string,
  readonly [disabled: Release, enabled?: Release]
>([
  ["DynamicKubeletConfig", ["1.22"]],
  ["WatchList", ["1.33", "1.34"]],
]);

/** Gates that change what a client sees and that no release enables by default. */
const enabledByNone: readonly string[] = [
  "AllowUnsafeMalformedObjectDeletion",
  "CBORServingAndStorage",
  "ClusterTrustBundle",
  "ClusterTrustBundleProjection",
  "ContainerStopSignals",
  "CoordinatedLeaderElection",
  "CrossNamespaceVolumeDataSource",
  "DRAListTypeAttributes",
  "DRANodeAllocatableResources",
  "DRAWorkloadResourceClaims",
  "GenericWorkload",
  "HPAScaleToZero",
  "ImageVolumeWithDigest",
  "NetworkPolicyStatus",
  "PodCertificateRequest",
  "PodLogsQuerySplitStreams",
  "ServiceTopology",
  "StorageVersionAPI",
  "StorageVersionMigrator",
  "TopologyAwareWorkloadScheduling",
  "VolumeLimitScaling",
  "WorkloadAwarePreemption",
];

/** Gates that later releases gave another name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["UserNamespacesStatelessPodsSupport", "UserNamespacesSupport"],
]);

/** The gates that have an effect here. */
export function knownGates(): readonly string[] {
  return [...enabledSince.keys(), ...enabledByNone, ...renamed.keys()];
}

/** The enabled feature gates of a release. */
export interface FeatureGates {
  /** Whether the release is the given one or a newer one, as some rules changed without a gate. */
  readonly since: Since;
  /** Gates that this project does not know are disabled. */
  readonly isEnabled: (name: string) => boolean;
}

/** The gates of a release, changed by `--feature-gates`. With `emulation`, they have the defaults of that release. */
export function featureGates(
  release: Release,
  set: ReadonlyMap<string, boolean> = new Map(),
  emulation: Release = release,
): FeatureGates {
  const [since, sinceEmulated] = [sinceOf(release), sinceOf(emulation)];
  const enabled = new Set<string>();
  for (const [name, first] of enabledSince) if (sinceEmulated(first)) enabled.add(name);
  for (const [name, [disabled, again]] of disabledSince) {
    if (sinceEmulated(disabled) && (again === undefined || !sinceEmulated(again))) enabled.delete(name);
  }
  for (const [name, isOn] of set) {
    const known = renamed.get(name) ?? name;
    if (isOn) enabled.add(known);
    else enabled.delete(known);
  }
  return { since, isEnabled: (name) => enabled.has(name) };
}
