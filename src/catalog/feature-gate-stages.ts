import { type AnyRelease, type Release, releases, sinceOf } from "../apimachinery/release.ts";
import type { EffectiveVersion } from "./effective-version.ts";

/** The state of a gate in a release. */
export interface GateStage {
  readonly stage: "Alpha" | "Beta" | "GA" | "Deprecated";
  readonly isOn: boolean;
  /** Whether the gate cannot be set to another value. */
  readonly isLocked: boolean;
}

/** The life of every gate: the first state, and each later one. */
class GateLives {
  #lives: ReadonlyMap<string, readonly (readonly [since: AnyRelease, stage: GateStage])[]> | undefined;

  get all(): ReadonlyMap<string, readonly (readonly [since: AnyRelease, stage: GateStage])[]> {
    this.#lives ??= new Map(
      lives
        .trim()
        .split("\n")
        .map((line) => {
          const [name = "", ...states] = line.split(" ");
          return [name, states.map(parseState)];
        }),
    );
    return this.#lives;
  }
}

const gateLives = new GateLives();

/**
 * The state of a gate in a release: `preAlpha` before the gate exists, undefined for a gate that the newest release does not have.
 * Upstream: test/compatibility_lifecycle/reference/versioned_feature_list.yaml.
 */
export function gateStage(name: string, release: Release): GateStage | "preAlpha" | undefined {
  const life = gateLives.all.get(name);
  const since = sinceOf<AnyRelease>(release);
  return life && (life.findLast(([first]) => since(first))?.[1] ?? "preAlpha");
}

/** The gates of the newest release that a release has as well, with their states. */
export function gateStages(release: Release): ReadonlyMap<string, GateStage> {
  const stages = new Map<string, GateStage>();
  for (const name of gateLives.all.keys()) {
    const stage = gateStage(name, release);
    if (stage !== undefined && stage !== "preAlpha") stages.set(name, stage);
  }
  return stages;
}

/** Why a server does not start with this value of a gate, in its words; undefined if it does. */
export function gateProblem(
  name: string,
  value: boolean,
  { binary, emulation }: EffectiveVersion,
): string | undefined {
  const stage = gateStage(name, emulation);
  const since = sinceOf(binary);
  // Only the gates of the newest release are all known.
  const isUnrecognized = stage === undefined && binary === releases.at(-1);
  if (isUnrecognized || (stage === "preAlpha" && !since("1.31"))) return `unrecognized feature gate: ${name}`;
  const cannot = `cannot set feature gate ${name} to ${value}, feature is`;
  if (stage === "preAlpha") return `${cannot} PreAlpha at emulated version ${emulation}`;
  return stage?.isLocked && stage.isOn !== value ? `${cannot} locked to ${stage.isOn}` : undefined;
}

const stageNames: ReadonlyMap<string, GateStage["stage"]> = new Map([
  ["A", "Alpha"],
  ["B", "Beta"],
  ["G", "GA"],
  ["D", "Deprecated"],
]);

/** `1.34B+!`: beta, on and locked since 1.34. */
function parseState(text: string): readonly [AnyRelease, GateStage] {
  const [, since = "", letter = "", sign, lock] = /^(1\.[0-9]+)([ABGD])([+-])(!?)$/.exec(text) ?? [];
  const stage = stageNames.get(letter);
  if (stage === undefined) throw new Error(`${text} is not the state of a gate`);
  // The pattern is that of a release.
  return [since as AnyRelease, { stage, isOn: sign === "+", isLocked: lock === "!" }];
}

const lives = `
AggregatedDiscoveryRemoveBetaType 1.0G- 1.33D+ 1.35D+!
AllowDNSOnlyNodeCSR 1.0G+ 1.31D-
AllowInsecureKubeletCertificateSigningRequests 1.0G+ 1.31D-
AllowOverwriteTerminationGracePeriodSeconds 1.0G+ 1.32D- 1.35D-!
AllowParsingUserUIDFromCertAuth 1.33B+
AllowServiceExternalIPs 1.0G+
AllowUnsafeMalformedObjectDeletion 1.32A-
AnonymousAuthConfigurableEndpoints 1.31A- 1.32B+ 1.34G+!
AnyVolumeDataSource 1.18A- 1.24B+ 1.33G+!
APIResponseCompression 1.8A- 1.16B+
APIServerIdentity 1.20A- 1.26B+
APIServerTracing 1.22A- 1.27B+ 1.34G+!
APIServingWithRoutine 1.30A-
AuthorizeNodeWithSelectors 1.31A- 1.32B+ 1.34G+!
AuthorizePodWebsocketUpgradeCreatePermission 1.35B+
AuthorizeWithSelectors 1.31A- 1.32B+ 1.34G+!
BtreeWatchCache 1.32B+ 1.33G+!
CBORServingAndStorage 1.32A-
ChangeContainerStatusOnKubeletRestart 1.0G+ 1.35D-
ClearingNominatedNodeNameAfterBinding 1.34A- 1.35B+
CloudControllerManagerWatchBasedRoutesReconciliation 1.35A-
CloudControllerManagerWebhook 1.27A-
ClusterTrustBundle 1.27A- 1.33B-
ClusterTrustBundleProjection 1.29A- 1.33B-
ComponentFlagz 1.32A- 1.36B+
ComponentStatusz 1.32A- 1.36B+
ConcurrentWatchObjectDecode 1.31B-
ConsistentListFromCache 1.28A- 1.31B+ 1.34G+!
ConstrainedImpersonation 1.35A- 1.36B+
ContainerCheckpoint 1.25A- 1.30B+
ContainerRestartRules 1.34A- 1.35B+
ContainerStopSignals 1.33A-
ContextualLogging 1.24A- 1.30B+
ControllerManagerReleaseLeaderElectionLockOnExit 1.36A-
CoordinatedLeaderElection 1.31A- 1.33B-
CPUCFSQuotaPeriod 1.12A- 1.36G+
CPUManagerPolicyAlphaOptions 1.23A-
CPUManagerPolicyBetaOptions 1.23B+
CPUManagerPolicyOptions 1.22A- 1.23B+ 1.33G+!
CRDObservedGenerationTracking 1.35B- 1.36B+
CRDValidationRatcheting 1.28A- 1.30B+ 1.33G+!
CRIListStreaming 1.36A-
CrossNamespaceVolumeDataSource 1.26A-
CSIServiceAccountTokenSecrets 1.35B+ 1.36G+!
CSIVolumeHealth 1.21A-
CustomResourceFieldSelectors 1.30A- 1.31B+ 1.32G+!
DeclarativeValidation 1.33B+ 1.36G+!
DeclarativeValidationBeta 1.36B+
DeclarativeValidationTakeover 1.33B- 1.36D-
DeploymentReplicaSetTerminatingReplicas 1.33A- 1.35B+
DetectCacheInconsistency 1.34B+
DisableAllocatorDualWrite 1.31A- 1.33B- 1.34G+ 1.35G+!
DisableCPUQuotaWithExclusiveCPUs 1.33B+ 1.36D+
DisableNodeKubeProxyVersion 1.29A- 1.31D- 1.33D+ 1.36D+!
DRAAdminAccess 1.32A- 1.34B+ 1.36G+!
DRAConsumableCapacity 1.34A- 1.36B+
DRADeviceBindingConditions 1.34A- 1.36B+
DRADeviceTaintRules 1.35A- 1.36B-
DRADeviceTaints 1.33A- 1.36B+
DRAExtendedResource 1.34A- 1.36B+
DRAListTypeAttributes 1.36A-
DRANodeAllocatableResources 1.36A-
DRAPartitionableDevices 1.33A- 1.36B+
DRAPrioritizedList 1.33A- 1.34B+ 1.36G+
DRAResourceClaimDeviceStatus 1.32A- 1.33B+
DRAResourceClaimGranularStatusAuthorization 1.36B+
DRAResourcePoolStatus 1.36A-
DRASchedulerFilterTimeout 1.34B+
DRAWorkloadResourceClaims 1.36A-
DynamicResourceAllocation 1.26A- 1.32B- 1.34G+ 1.35G+!
EnvFiles 1.34A- 1.35B+
EventedPLEG 1.26A-
ExecProbeTimeout 1.20G+ 1.35G+!
ExtendWebSocketsToKubelet 1.36B+
ExternalServiceAccountTokenSigner 1.32A- 1.34B+ 1.36G+!
GangScheduling 1.35A-
GenericWorkload 1.35A-
GitRepoVolumeDriver 1.0G+ 1.33D- 1.36D-!
GracefulNodeShutdown 1.20A- 1.21B+
GracefulNodeShutdownBasedOnPodPriority 1.23A- 1.24B+
HostnameOverride 1.34A- 1.35B+
HPAConfigurableTolerance 1.33A- 1.35B+
HPAScaleToZero 1.16A-
ImageMaximumGCAge 1.29A- 1.30B+ 1.35G+!
ImageVolume 1.31A- 1.33B- 1.35B+ 1.36G+!
ImageVolumeWithDigest 1.35A-
InPlacePodLevelResourcesVerticalScaling 1.35A- 1.36B+
InPlacePodVerticalScaling 1.27A- 1.33B+ 1.35G+!
InPlacePodVerticalScalingExclusiveCPUs 1.32A-
InPlacePodVerticalScalingExclusiveMemory 1.34A-
InPlacePodVerticalScalingInitContainers 1.36B+
JobBackoffLimitPerIndex 1.28A- 1.29B+ 1.33G+!
JobManagedBy 1.30A- 1.32B+ 1.35G+!
JobPodReplacementPolicy 1.28A- 1.29B+ 1.34G+!
JobSuccessPolicy 1.30A- 1.31B+ 1.33G+!
KMSv1 1.0G+ 1.28D+ 1.29D-
KubeletCgroupDriverFromCRI 1.28A- 1.31B+ 1.34G+!
KubeletCrashLoopBackOffMax 1.32A- 1.35B+
KubeletEnsureSecretPulledImages 1.33A- 1.35B+
KubeletFineGrainedAuthz 1.32A- 1.33B+ 1.36G+!
KubeletInUserNamespace 1.22A-
KubeletPodResourcesDynamicResources 1.27A- 1.34B+ 1.36G+!
KubeletPodResourcesGet 1.27A- 1.34B+ 1.36G+!
KubeletPodResourcesListUseActivePods 1.0G- 1.34D+
KubeletPSI 1.33A- 1.34B+ 1.36G+!
KubeletRegistrationGetOnExistsOnly 1.0G+ 1.32D-
KubeletSeparateDiskGC 1.29A- 1.31B+
KubeletServiceAccountTokenForCredentialProviders 1.33A- 1.34B+
KubeletTracing 1.25A- 1.27B+ 1.34G+!
ListFromCacheSnapshot 1.33A- 1.34B+
LocalStorageCapacityIsolationFSQuotaMonitoring 1.15A- 1.31B-
LogarithmicScaleDown 1.21A- 1.22B+ 1.31G+!
LoggingAlphaOptions 1.24A-
LoggingBetaOptions 1.24B+
ManifestBasedAdmissionControlConfig 1.36A-
MatchLabelKeysInPodAffinity 1.29A- 1.31B+ 1.33G+!
MatchLabelKeysInPodTopologySpread 1.25A- 1.27B+
MatchLabelKeysInPodTopologySpreadSelectorMerge 1.34B+
MaxUnavailableStatefulSet 1.24A- 1.35B-
MemoryQoS 1.22A-
MultiCIDRServiceAllocator 1.27A- 1.31B- 1.33G+ 1.34G+!
MutableCSINodeAllocatableCount 1.33A- 1.34B- 1.35B+ 1.36G+!
MutablePodResourcesForSuspendedJobs 1.35A- 1.36B+
MutablePVNodeAffinity 1.35A-
MutableSchedulingDirectivesForSuspendedJobs 1.35A- 1.36B+
MutatingAdmissionPolicy 1.32A- 1.34B- 1.36G+
NativeHistograms 1.36A-
NFTablesProxyMode 1.29A- 1.31B+ 1.33G+!
NodeDeclaredFeatures 1.35A- 1.36B+
NodeInclusionPolicyInPodTopologySpread 1.25A- 1.26B+ 1.33G+!
NodeLogQuery 1.27A+ 1.30B+ 1.36G+!
NodeSwap 1.22A- 1.28B- 1.30B+ 1.34G+!
NominatedNodeNameForExpectation 1.34A- 1.35B+
OpenAPIEnums 1.23A- 1.24B+
OpportunisticBatching 1.35B+
OrderedNamespaceDeletion 1.30B- 1.33B+ 1.34G+!
PersistentVolumeClaimUnusedSinceTime 1.36A-
PLEGOnDemandRelist 1.36B+
PodAndContainerStatsFromCRI 1.23A-
PodCertificateRequest 1.34A- 1.35B-
PodDeletionCost 1.21A- 1.22B+
PodLevelResourceManagers 1.36A-
PodLevelResources 1.32A- 1.34B+
PodLifecycleSleepAction 1.29A- 1.30B+ 1.34G+!
PodLifecycleSleepActionAllowZero 1.32A- 1.33B+ 1.34G+!
PodLogsQuerySplitStreams 1.32A-
PodObservedGenerationTracking 1.33A- 1.34B+ 1.35G+!
PodReadyToStartContainersCondition 1.28A- 1.29B+
PodsAPI 1.36A-
PodSchedulingReadiness 1.26A- 1.27B+ 1.30G+!
PodTopologyLabelsAdmission 1.33A- 1.35B+
PortForwardWebsockets 1.30A- 1.31B+
PreferSameTrafficDistribution 1.33A- 1.34B+ 1.35G+!
PreventStaticPodAPIReferences 1.34B+
ProcMountType 1.12A- 1.31B- 1.33B+ 1.36G+!
QOSReserved 1.11A-
RecoverVolumeExpansionFailure 1.23A- 1.32B+ 1.34G+!
RecursiveReadOnlyMounts 1.30A- 1.31B+ 1.33G+!
ReduceDefaultCrashLoopBackOffDecay 1.33A-
RelaxedDNSSearchValidation 1.32A- 1.33B+ 1.34G+!
RelaxedEnvironmentVariableValidation 1.30A- 1.32B+ 1.34G+!
RelaxedServiceNameValidation 1.34A- 1.36B+
ReloadKubeletClientCAFile 1.36B+
ReloadKubeletServerCertificateFile 1.31B+
RemoteRequestHeaderUID 1.32A- 1.33B+
ResilientWatchCacheInitialization 1.31B+ 1.34G+!
ResourceHealthStatus 1.31A- 1.36B+
ResourceHealthStatusMessage 1.36B+
RestartAllContainersOnContainerExits 1.35A- 1.36B+
RetryGenerateName 1.30A- 1.31B+ 1.32G+!
RotateKubeletServerCertificate 1.7A- 1.12B+
RuntimeClassInImageCriAPI 1.29A-
SchedulerAsyncAPICalls 1.34B-
SchedulerAsyncPreemption 1.32A- 1.33B+
SchedulerPopFromBackoffQ 1.33B+
SchedulerQueueingHints 1.28B- 1.32B+ 1.34G+!
SELinuxChangePolicy 1.32A- 1.33B+ 1.36G+!
SELinuxMount 1.30A- 1.33B-
SELinuxMountReadWriteOncePod 1.25A- 1.27B- 1.28B+ 1.36G+!
SeparateCacheWatchRPC 1.28B+ 1.33D- 1.36D-!
SeparateTaintEvictionController 1.29B+ 1.34G+!
ServiceAccountNodeAudienceRestriction 1.32B- 1.33B+
ServiceAccountTokenJTI 1.29A- 1.30B+ 1.32G+!
ServiceAccountTokenNodeBinding 1.29A- 1.31B+ 1.33G+!
ServiceAccountTokenNodeBindingValidation 1.29A- 1.30B+ 1.32G+!
ServiceAccountTokenPodNodeInfo 1.29A- 1.30B+ 1.32G+!
ServiceCIDRStatusFieldWiping 1.0G- 1.36D+
ShardedListAndWatch 1.36A-
SidecarContainers 1.28A- 1.29B+ 1.33G+!
SizeBasedListCostEstimate 1.34B+
StaleControllerConsistencyDaemonSet 1.36B+
StaleControllerConsistencyJob 1.36B+
StaleControllerConsistencyReplicaSet 1.36B+
StaleControllerConsistencyStatefulSet 1.36B+
StatefulSetSemanticRevisionComparison 1.0B+
StorageCapacityScoring 1.33A-
StorageNamespaceIndex 1.30B+ 1.33D+
StorageVersionAPI 1.20A-
StorageVersionHash 1.14A- 1.15B+
StorageVersionMigrator 1.30A- 1.35B-
StreamingCollectionEncodingToJSON 1.33B+ 1.34G+!
StreamingCollectionEncodingToProtobuf 1.33B+ 1.34G+!
StrictIPCIDRValidation 1.33A- 1.36B+
StructuredAuthenticationConfiguration 1.29A- 1.30B+ 1.34G+!
StructuredAuthenticationConfigurationEgressSelector 1.34B+
StructuredAuthenticationConfigurationJWKSMetrics 1.35B+
SupplementalGroupsPolicy 1.31A- 1.33B+ 1.35G+!
SystemdWatchdog 1.32B+ 1.35G+!
TaintTolerationComparisonOperators 1.35A-
TokenRequestServiceAccountUIDValidation 1.34B+
TopologyAwareWorkloadScheduling 1.36A-
TopologyManagerPolicyAlphaOptions 1.26A-
TopologyManagerPolicyBetaOptions 1.26B- 1.28B+
TopologyManagerPolicyOptions 1.26A- 1.28B+ 1.32G+!
TranslateStreamCloseWebsocketRequests 1.29A- 1.30B+
UnauthenticatedHTTP2DOSMitigation 1.25B- 1.29B+
UnknownVersionInteroperabilityProxy 1.28A- 1.36B+
UserNamespacesHostNetworkSupport 1.35A-
UserNamespacesSupport 1.25A- 1.30B- 1.33B+ 1.36G+!
VolumeAttributesClass 1.29A- 1.31B- 1.34G+ 1.36G+!
VolumeLimitScaling 1.35A-
WatchCacheInitializationPostStartHook 1.31B- 1.36B+
WatchList 1.27A- 1.32B+ 1.33B- 1.34B+
WindowsCPUAndMemoryAffinity 1.32A-
WindowsGracefulNodeShutdown 1.32A- 1.34B+
WindowsHostNetwork 1.26A- 1.33D-
WinDSR 1.14A- 1.33B+ 1.34G+!
WinOverlay 1.14A- 1.20B+ 1.34G+!
WorkloadAwarePreemption 1.36A-
WorkloadWithJob 1.36A-
`;
