import type { Release } from "./api-resource.ts";
import { minorOf } from "./release.ts";

/**
 * The gates that change what a client sees, and the minor number of the release from which on each is open by default.
 * Those that no release has open are not listed.
 */
const openSince: ReadonlyMap<string, number> = new Map([
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

/** The one release that closed a gate again. */
const closedIn: ReadonlyMap<string, number> = new Map([["WatchList", 33]]);

/** Which gates are open, and in which release. */
export interface FeatureGates {
  /** The minor number of the release; some rules changed without a gate. */
  readonly minor: number;
  /** Gates that nothing here depends on are closed. */
  readonly isEnabled: (name: string) => boolean;
}

/** The gates of a release with those that were set by hand. */
export function featureGates(release: Release, set: ReadonlyMap<string, boolean> = new Map()): FeatureGates {
  const minor = minorOf(release);
  const open = new Set<string>();
  for (const [name, since] of openSince) if (minor >= since && minor !== closedIn.get(name)) open.add(name);
  for (const [name, isOpen] of set) {
    if (isOpen) open.add(name);
    else open.delete(name);
  }
  return { minor, isEnabled: (name) => open.has(name) };
}
