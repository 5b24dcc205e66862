/**
 * The lives of the feature gates that change what a client sees, in the newest patch of each release. Upstream:
 * pkg/features/kube_features.go, the same file of apiserver, apiextensions-apiserver and component-base, and known_features.go of client-go.
 */
export const livesOfEffectiveGates = `
AdmissionWebhookMatchConditions 1.27A- 1.28B+ 1.30G+! 1.33X
AggregatedDiscoveryEndpoint 1.26A- 1.27B+ 1.30G+! 1.33X
AggregatedDiscoveryRemoveBetaType ^1.0G- 1.33D+ 1.35D+!
AllowParsingUserUIDFromCertAuth 1.33B+
AllowServiceLBStatusOnNonLB 1.29D- 1.32D-! 1.35X
AllowUnsafeMalformedObjectDeletion 1.32A-
AnonymousAuthConfigurableEndpoints 1.31A- 1.32B+ 1.34G+!
AnyVolumeDataSource 1.18A- 1.24B+ 1.33G+!
APIListChunking 1.16B+ 1.29G+! 1.33X
APIPriorityAndFairness 1.16A- 1.20B+ 1.29G+! 1.31X
APIResponseCompression 1.8A- 1.16B+
APISelfSubjectReview 1.26A- 1.27B+ 1.28G+! 1.30X
APIServerIdentity 1.20A- 1.26B+
AppArmor 1.16B+ 1.31G+! 1.33X
AppArmorFields 1.30B+ 1.31G+! 1.33X
AuthorizeNodeWithSelectors 1.31A- 1.32B+ 1.34G+!
AuthorizeWithSelectors 1.31A- 1.32B+ 1.34G+!
BlockVolume 1.16B+ 1.18G+! 1.21X
BoundServiceAccountTokenVolume 1.16A- 1.21B+ 1.22G+! 1.23X
CBORServingAndStorage 1.32A-
ClearingNominatedNodeNameAfterBinding 1.34A- 1.35B+
ClusterTrustBundle 1.27A- 1.33B-
ClusterTrustBundleProjection 1.29A- 1.33B-
ComponentFlagz 1.32A- 1.36B+
ComponentSLIs 1.26A- 1.27B+ 1.32G+! 1.35X
ComponentStatusz 1.32A- 1.36B+
ConfigurableFSGroupPolicy 1.18A- 1.20B+ 1.23G+! 1.25X
ConstrainedImpersonation 1.35A- 1.36B+
ContainerRestartRules 1.34A- 1.35B+
ContainerStopSignals 1.33A-
CoordinatedLeaderElection 1.31A- 1.33B-
CRDValidationRatcheting 1.28A- 1.30B+ 1.33G+!
CronJobTimeZone 1.24A- 1.25B+ 1.27G+! 1.29X
CrossNamespaceVolumeDataSource 1.26A-
CSIInlineVolume 1.16B+ 1.25G+! 1.27X
CSIMigration 1.16A- 1.17B+ 1.25G+! 1.27X
CSINodeExpandSecret 1.25A- 1.27B+ 1.29G+! 1.31X
CSIServiceAccountToken 1.20A- 1.21B+ 1.22G+! 1.25X
CSIServiceAccountTokenSecrets 1.35B+ 1.36G+!
CSIStorageCapacity 1.19A- 1.21B+ 1.24G+! 1.28X
CSIVolumeFSGroupPolicy 1.19A- 1.20B+ 1.23G+! 1.25X
CSRDuration 1.22B+ 1.24G+! 1.26X
CustomResourceFieldSelectors 1.30A- 1.31B+ 1.32G+!
CustomResourceValidationExpressions 1.23A- 1.25B+ 1.29G+! 1.31X
DaemonSetUpdateSurge 1.21A- 1.22B+ 1.25G+! 1.27X
DefaultHostNetworkHostPortsInPodTemplates 1.28D- 1.31X
DefaultIngressClass 1.18B+ 1.19G+! 1.21X
DeploymentReplicaSetTerminatingReplicas 1.33A- 1.35B+
DisableAllocatorDualWrite 1.31A- 1.33B- 1.34G+ 1.35G+!
DisableNodeKubeProxyVersion 1.29A- 1.31D- 1.33D+ 1.36D+!
DownwardAPIHugePages 1.20A- 1.21B- 1.23B+ 1.27G+! 1.29X
DRAAdminAccess 1.32A- 1.34B+ 1.36G+!
DRAConsumableCapacity 1.34A- 1.36B+
DRAControlPlaneController 1.31A- 1.32X
DRADeviceBindingConditions 1.34A- 1.36B+
DRADeviceTaints 1.33A- 1.36B+
DRAExtendedResource 1.34A- 1.36B+
DRAListTypeAttributes 1.36A-
DRANodeAllocatableResources 1.36A-
DRAPartitionableDevices 1.33A- 1.36B+
DRAPrioritizedList 1.33A- 1.34B+ 1.36G+
DRAResourceClaimDeviceStatus 1.32A- 1.33B+
DRAWorkloadResourceClaims 1.36A-
DryRun 1.16B+ 1.19G+ 1.26G+! 1.28X
DynamicKubeletConfig 1.16B+ 1.22D- 1.26X
DynamicResourceAllocation 1.26A- 1.32B- 1.34G+ 1.35G+!
ElasticIndexedJob 1.27B+ 1.31G+! 1.34X
EndpointSliceNodeName 1.20A- 1.21G+! 1.25X
EndpointSliceTerminatingCondition 1.20A- 1.22B+ 1.26G+! 1.28X
EnvFiles 1.34A- 1.35B+
EphemeralContainers 1.16A- 1.23B+ 1.25G+! 1.27X
EvenPodsSpread 1.16A- 1.18B+ 1.19G+! 1.21X
ExpandCSIVolumes 1.16B+ 1.24G+ 1.27X
ExpandedDNSConfig 1.22A- 1.26B+ 1.28G+! 1.30X
ExpandPersistentVolumes 1.16B+ 1.24G+ 1.27X
GenericEphemeralVolume 1.19A- 1.21B+ 1.23G+! 1.25X
GenericWorkload 1.35A-
GRPCContainerProbe 1.23A- 1.24B+ 1.27G+! 1.29X
HostnameOverride 1.34A- 1.35B+
HPAConfigurableTolerance 1.33A- 1.35B+
HPAContainerMetrics 1.20A- 1.27B+ 1.30G+! 1.32X
HPAScaleToZero 1.16A-
HugePageStorageMediumSize 1.18A- 1.19B+ 1.22G+! 1.24X
IdentifyPodOS 1.23A- 1.24B+ 1.25G+! 1.27X
ImageVolume 1.31A- 1.33B- 1.35B+ 1.36G+!
ImageVolumeWithDigest ^1.35A- 1.36A-
ImmutableEphemeralVolumes 1.18A- 1.19B+ 1.21G+! 1.24X
IndexedJob 1.21A- 1.22B+ 1.24G+! 1.26X
IngressClassNamespacedParams 1.21A- 1.22B+ 1.23G+! 1.25X
InPlacePodLevelResourcesVerticalScaling 1.35A- 1.36B+
InPlacePodVerticalScaling 1.27A- 1.33B+ 1.35G+!
InPlacePodVerticalScalingInitContainers 1.36B+
IPv6DualStack 1.16A- 1.21B+ 1.23G+! 1.27X
JobBackoffLimitPerIndex 1.28A- 1.29B+ 1.33G+!
JobManagedBy 1.30A- 1.32B+ 1.35G+!
JobMutableNodeSchedulingDirectives 1.23B+ 1.27G+! 1.29X
JobPodFailurePolicy 1.25A- 1.26B+ 1.31G+! 1.33X
JobPodReplacementPolicy 1.28A- 1.29B+ 1.34G+!
JobSuccessPolicy 1.30A- 1.31B+ 1.33G+!
JobTrackingWithFinalizers 1.22A- 1.23B- 1.25B+ 1.26G+! 1.29X
KubeletEnsureSecretPulledImages 1.33A- 1.35B+
KubeletFineGrainedAuthz 1.32A- 1.33B+ 1.36G+!
LegacyServiceAccountTokenCleanUp 1.28A- 1.29B+ 1.30G+! 1.32X
LegacyServiceAccountTokenNoAutoGeneration 1.24B+ 1.26G+ 1.27G+! 1.29X
LegacyServiceAccountTokenTracking 1.26A- 1.27B+ 1.28G+! 1.30X
LoadBalancerIPMode 1.29A- 1.30B+ 1.32G+! 1.35X
LocalStorageCapacityIsolation 1.16B+ 1.25G+! 1.27X
MatchLabelKeysInPodAffinity 1.29A- 1.31B+ 1.33G+!
MatchLabelKeysInPodTopologySpread 1.25A- 1.27B+
MatchLabelKeysInPodTopologySpreadSelectorMerge 1.34B+
MaxUnavailableStatefulSet 1.24A- 1.35B-
MinDomainsInPodTopologySpread 1.24A- 1.25B- 1.27B+ 1.30G+! 1.32X
MixedProtocolLBService 1.20A- 1.24B+ 1.26G+! 1.28X
MultiCIDRServiceAllocator 1.27A- 1.31B- 1.33G+ 1.34G+!
MutableCSINodeAllocatableCount 1.33A- 1.34B- 1.35B+ 1.36G+!
MutablePodResourcesForSuspendedJobs 1.35A- 1.36B+
MutablePVNodeAffinity 1.35A-
MutableSchedulingDirectivesForSuspendedJobs 1.35A- 1.36B+
MutatingAdmissionPolicy 1.30A- 1.32A- 1.34B- 1.36G+
NamespaceDefaultLabelName 1.21B+ 1.22G+! 1.24X
NetworkPolicyEndPort 1.21A- 1.22B+ 1.25G+! 1.27X
NetworkPolicyStatus 1.24A- 1.28X
NodeDeclaredFeatures 1.35A- 1.36B+
NodeInclusionPolicyInPodTopologySpread 1.25A- 1.26B+ 1.33G+!
NonPreemptingPriority 1.16A- 1.19B+ 1.24G+! 1.26X
OpenAPIEnums 1.23A- 1.24B+
OpenAPIV3 1.23A- 1.24B+ 1.27G+! 1.29X
OrderedNamespaceDeletion 1.30B- 1.33B+ 1.34G+!
PDBUnhealthyPodEvictionPolicy 1.26A- 1.27B+ 1.31G+! 1.33X
PersistentVolumeLastPhaseTransitionTime 1.28A- 1.29B+ 1.31G+! 1.33X
PodAffinityNamespaceSelector 1.21A- 1.22B+ 1.24G+! 1.26X
PodCertificateRequest 1.34A- 1.35B-
PodDeletionCost 1.21A- 1.22B+
PodDisruptionConditions 1.25A- 1.26B+ 1.31G+! 1.34X
PodHostIPs 1.28A- 1.29B+ 1.30G+! 1.32X
PodLevelResources 1.32A- 1.34B+
PodLifecycleSleepAction 1.29A- 1.30B+ 1.34G+!
PodLifecycleSleepActionAllowZero 1.32A- 1.33B+ 1.34G+!
PodLogsQuerySplitStreams 1.32A-
PodObservedGenerationTracking 1.33A- 1.34B+ 1.35G+!
PodOverhead 1.16A- 1.18B+ 1.24G+! 1.26X
PodReadyToStartContainersCondition 1.28A- 1.29B+
PodSchedulingReadiness 1.26A- 1.27B+ 1.30G+!
PodSecurity 1.22A- 1.23B+ 1.25G+! 1.28X
PodShareProcessNamespace 1.16B+ 1.17G+! 1.19X
PodTopologyLabelsAdmission 1.33A- 1.35B+
PortForwardWebsockets 1.30A- 1.31B+
PreferSameTrafficDistribution 1.33A- 1.34B+ 1.35G+!
ProbeTerminationGracePeriod 1.21A- 1.22B- 1.25B+ 1.28G+! 1.29X
ProcMountType 1.12A- 1.31B- 1.33B+ 1.36G+!
ReadWriteOncePod 1.22A- 1.27B+ 1.29G+! 1.31X
RecoverVolumeExpansionFailure 1.23A- 1.32B+ 1.34G+!
RecursiveReadOnlyMounts 1.30A- 1.31B+ 1.33G+!
RelaxedDNSSearchValidation 1.32A- 1.33B+ 1.34G+!
RelaxedEnvironmentVariableValidation 1.30A- 1.32B+ 1.34G+!
RelaxedServiceNameValidation 1.34A- 1.36B+
RemainingItemCount 1.16B+ 1.29G+! 1.33X
RemoteRequestHeaderUID 1.32A- 1.33B+
RemoveSelfLink 1.16A- 1.20B+ 1.24G+! 1.30X
ResourceHealthStatus 1.31A- 1.36B+
ResourceHealthStatusMessage 1.36B+
RestartAllContainersOnContainerExits 1.35A- 1.36B+
RetroactiveDefaultStorageClass 1.25A- 1.26B+ 1.28G+! 1.29X
RootCAConfigMap 1.20B+ 1.21G+! 1.22X
RunAsGroup 1.16B+ 1.21G+! 1.22X
SCTPSupport 1.16A- 1.19B+ 1.20G+! 1.22X
SELinuxChangePolicy 1.32A- 1.33B+ 1.36G+!
SELinuxMountReadWriteOncePod 1.25A- 1.27B- 1.28B+ 1.36G+!
ServerSideApply 1.16B+ 1.22G+ 1.26G+! 1.32X
ServerSideFieldValidation 1.23A- 1.25B+ 1.27G+! 1.32X
ServiceAccountIssuerDiscovery 1.18A- 1.20B+ 1.21G+! 1.23X
ServiceAccountTokenJTI 1.29A- 1.30B+ 1.32G+!
ServiceAccountTokenNodeBinding 1.29A- 1.31B+ 1.33G+!
ServiceAccountTokenNodeBindingValidation 1.29A- 1.30B+ 1.32G+!
ServiceAccountTokenPodNodeInfo 1.29A- 1.30B+ 1.32G+!
ServiceAppProtocol 1.18A- 1.19B+ 1.20G+! 1.22X
ServiceCIDRStatusFieldWiping ^1.0G- 1.36D+
ServiceInternalTrafficPolicy 1.21A- 1.22B+ 1.26G+! 1.28X
ServiceLBNodePortControl 1.20A- 1.22B+ 1.24G+! 1.26X
ServiceLoadBalancerClass 1.21A- 1.22B+ 1.24G+! 1.26X
ServiceTopology 1.17A- 1.22X
ServiceTrafficDistribution 1.30A- 1.31B+ 1.33G+! 1.36X
SetHostnameAsFQDN 1.19A- 1.20B+ 1.22G+! 1.24X
SidecarContainers 1.28A- 1.29B+ 1.33G+!
StartupProbe 1.16A- 1.18B+ 1.20G+! 1.23X
StatefulSetAutoDeletePVC 1.23A- 1.27B+ 1.32G+! 1.35X
StatefulSetMinReadySeconds 1.22A- 1.23B+ 1.25G+! 1.27X
StatefulSetStartOrdinal 1.26A- 1.27B+ 1.31G+! 1.34X
StorageObjectInUseProtection 1.16G+ 1.23G+! 1.25X
StorageVersionAPI 1.20A-
StorageVersionHash 1.14A- 1.15B+
StorageVersionMigrator 1.30A- 1.35B-
StrictCostEnforcementForVAP 1.30B- 1.32G+! 1.35X
StrictCostEnforcementForWebhooks 1.30B- 1.32G+! 1.35X
StrictIPCIDRValidation 1.33A- 1.36B+
StructuredAuthenticationConfiguration 1.29A- 1.30B+ 1.34G+!
StructuredAuthenticationConfigurationEgressSelector 1.34B+
StructuredAuthorizationConfiguration 1.29A- 1.30B+ 1.32G+! 1.36X
SupplementalGroupsPolicy 1.31A- 1.33B+ 1.35G+!
SuspendJob 1.21A- 1.22B+ 1.24G+! 1.26X
Sysctls 1.16B+ 1.21G+! 1.23X
TaintNodesByCondition 1.16B+ 1.17G+! 1.18X
TaintTolerationComparisonOperators 1.35A-
TokenRequestProjection 1.16B+ 1.21X
TopologyAwareHints 1.21A- 1.23B- 1.24B+ 1.33G+! 1.36X
TopologyAwareWorkloadScheduling 1.36A-
TranslateStreamCloseWebsocketRequests 1.29A- 1.30B+
TTLAfterFinished 1.16A- 1.21B+ 1.23G+! 1.25X
UserNamespacesHostNetworkSupport 1.35A-
UserNamespacesStatelessPodsSupport 1.25A- 1.28X
UserNamespacesSupport 1.28A- 1.30B- 1.33B+ 1.36G+!
ValidatingAdmissionPolicy 1.26A- 1.28B- 1.30G+! 1.32X
VolumeAttributesClass 1.29A- 1.31B- 1.34G+ 1.36G+!
VolumeLimitScaling 1.35A-
VolumePVCDataSource 1.16B+ 1.18G+! 1.21X
VolumeSnapshotDataSource 1.16A- 1.17B+ 1.20G+! 1.22X
VolumeSubpath 1.16G+ 1.23G+! 1.25X
VolumeSubpathEnvExpansion 1.16B+ 1.17G+! 1.19X
WarningHeaders 1.19B+ 1.22G+! 1.24X
WatchCacheInitializationPostStartHook 1.31B- 1.36B+
WatchList 1.27A- 1.32B+ 1.33B- 1.34B+
WindowsGMSA 1.16B+ 1.18G+! 1.21X
WindowsHostProcessContainers 1.22A- 1.23B+ 1.26G+! 1.28X
WindowsRunAsUserName 1.16A- 1.17B+ 1.18G+! 1.21X
WorkloadAwarePreemption 1.36A-
ZeroLimitedNominalConcurrencyShares 1.29B- 1.30G+! 1.32X
`;
