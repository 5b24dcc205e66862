import type { Release } from "./api-resource.ts";
import { minorOf } from "./release.ts";

/**
 * The feature gates that change what a client sees, with the minor number of the first release that enables each by default.
 * Gates that no release enables are not listed.
 */
const enabledSince: ReadonlyMap<string, number> = new Map([
  ["APIResponseCompression", 16],
  ["AnyVolumeDataSource", 24],
  ["AppArmorFields", 30],
  ["AuthorizeWithSelectors", 32],
  ["CSIServiceAccountToken", 21],
  ["CSIStorageCapacity", 21],
  ["CSIVolumeFSGroupPolicy", 20],
  ["ConfigurableFSGroupPolicy", 20],
  ["ContainerRestartRules", 35],
  ["CronJobTimeZone", 25],
  ["DRAAdminAccess", 34],
  ["DRAResourceClaimDeviceStatus", 33],
  ["DaemonSetUpdateSurge", 22],
  ["DynamicResourceAllocation", 34],
  ["ElasticIndexedJob", 27],
  ["EnvFiles", 35],
  ["EndpointSliceTerminatingCondition", 22],
  ["EphemeralContainers", 23],
  ["EvenPodsSpread", 18],
  ["GRPCContainerProbe", 24],
  ["GenericEphemeralVolume", 21],
  ["HPAConfigurableTolerance", 35],
  ["HPAContainerMetrics", 27],
  ["HostnameOverride", 35],
  ["IdentifyPodOS", 24],
  ["IngressClassNamespacedParams", 22],
  ["ImageVolume", 35],
  ["InPlacePodLevelResourcesVerticalScaling", 36],
  ["InPlacePodVerticalScaling", 33],
  ["InPlacePodVerticalScalingInitContainers", 36],
  ["IndexedJob", 22],
  ["JobBackoffLimitPerIndex", 29],
  ["JobManagedBy", 32],
  ["JobMutableNodeSchedulingDirectives", 23],
  ["JobPodFailurePolicy", 26],
  ["JobPodReplacementPolicy", 29],
  ["JobSuccessPolicy", 31],
  ["LoadBalancerIPMode", 30],
  ["MatchLabelKeysInPodAffinity", 31],
  ["MatchLabelKeysInPodTopologySpread", 27],
  ["MaxUnavailableStatefulSet", 35],
  ["MinDomainsInPodTopologySpread", 27],
  ["MutableCSINodeAllocatableCount", 34],
  ["NodeInclusionPolicyInPodTopologySpread", 26],
  ["NonPreemptingPriority", 19],
  ["PDBUnhealthyPodEvictionPolicy", 27],
  ["PersistentVolumeLastPhaseTransitionTime", 29],
  ["PodAffinityNamespaceSelector", 22],
  ["PodHostIPs", 29],
  ["PodLevelResources", 34],
  ["PodLifecycleSleepAction", 30],
  ["PodLifecycleSleepActionAllowZero", 33],
  ["PodObservedGenerationTracking", 34],
  ["PodOverhead", 18],
  ["PodSchedulingReadiness", 27],
  ["ProbeTerminationGracePeriod", 25],
  ["ProcMountType", 33],
  ["RecoverVolumeExpansionFailure", 32],
  ["RecursiveReadOnlyMounts", 31],
  ["RelaxedDNSSearchValidation", 33],
  ["RelaxedEnvironmentVariableValidation", 32],
  ["RelaxedServiceNameValidation", 36],
  ["ResourceHealthStatus", 36],
  ["RestartAllContainersOnContainerExits", 36],
  ["SELinuxChangePolicy", 33],
  ["SELinuxMountReadWriteOncePod", 28],
  ["ServiceAccountTokenNodeBinding", 31],
  ["ServiceAppProtocol", 19],
  ["ServiceInternalTrafficPolicy", 22],
  ["ServiceLBNodePortControl", 22],
  ["ServiceLoadBalancerClass", 22],
  ["ServiceTrafficDistribution", 31],
  ["PreferSameTrafficDistribution", 34],
  ["SetHostnameAsFQDN", 20],
  ["SidecarContainers", 29],
  ["StartupProbe", 18],
  ["StatefulSetAutoDeletePVC", 27],
  ["StatefulSetMinReadySeconds", 23],
  ["StatefulSetStartOrdinal", 27],
  ["SupplementalGroupsPolicy", 33],
  ["SuspendJob", 22],
  ["TTLAfterFinished", 21],
  ["TopologyAwareHints", 24],
  ["UserNamespacesSupport", 33],
  ["VolumeAttributesClass", 34],
  ["WatchList", 32],
  ["WindowsHostProcessContainers", 23],
]);

/** The only gate that a later release disabled again, with the minor number of that release. */
const disabledIn: ReadonlyMap<string, number> = new Map([["WatchList", 33]]);

/** The enabled feature gates of a release. */
export interface FeatureGates {
  /** The minor number of the release, as some rules changed without a gate. */
  readonly minor: number;
  /** Gates that this project does not know are disabled. */
  readonly isEnabled: (name: string) => boolean;
}

/** The gates of a release, changed by `--feature-gates`. */
export function featureGates(release: Release, set: ReadonlyMap<string, boolean> = new Map()): FeatureGates {
  const minor = minorOf(release);
  const enabled = new Set<string>();
  for (const [name, since] of enabledSince)
    if (minor >= since && minor !== disabledIn.get(name)) enabled.add(name);
  for (const [name, isOn] of set) {
    if (isOn) enabled.add(name);
    else enabled.delete(name);
  }
  return { minor, isEnabled: (name) => enabled.has(name) };
}
