/** The lives of the feature gates of kube-apiserver that change nothing here, as in `effective-gates.ts`. */
export const livesOfIneffectiveGates = `
AdvancedAuditing 1.16G+ 1.27G+! 1.28X
AllowDNSOnlyNodeCSR ^1.0G+ 1.31D-
AllowInsecureBackendProxy 1.17B+ 1.21G+! 1.23X
AllowInsecureKubeletCertificateSigningRequests ^1.0G+ 1.31D-
AllowOverwriteTerminationGracePeriodSeconds ^1.0G+ 1.32D- 1.35D-!
AllowServiceExternalIPs ^1.0G+ 1.36G+
APIServerTracing 1.22A- 1.27B+ 1.34G+!
APIServingWithRoutine 1.30A-
AtomicFIFO 1.36B+
AttachVolumeLimit 1.16B+ 1.17G+! 1.21X
AuthorizePodWebsocketUpgradeCreatePermission 1.35B+
BalanceAttachedNodeVolumes 1.16A- 1.22X
BtreeWatchCache 1.32B+ 1.33G+!
ChangeContainerStatusOnKubeletRestart ^1.0G+ 1.35D-
ClientsAllowCARotation 1.36B+
ClientsAllowCBOR 1.32A-
ClientsAllowTLSCacheGC 1.36B+
ClientsPreferCBOR 1.32A-
CloudControllerManagerWatchBasedRoutesReconciliation 1.35A-
CloudControllerManagerWebhook 1.27A-
CloudDualStackNodeIPs 1.27A- 1.29B+ 1.30G+! 1.32X
ConcurrentWatchObjectDecode 1.31B-
ConsistentHTTPGetHandlers 1.26G+ 1.30G+! 1.31X
ConsistentListFromCache 1.28A- 1.31B+ 1.34G+!
ContainerCheckpoint 1.25A- 1.30B+
ContextualLogging 1.24A- 1.30B+
ControllerManagerLeaderMigration 1.22B+ 1.24G+! 1.27X
ControllerManagerReleaseLeaderElectionLockOnExit 1.36A-
CPUManager 1.16B+ 1.26G+! 1.33X
CPUManagerPolicyAlphaOptions 1.23A-
CPUManagerPolicyBetaOptions 1.23B+
CPUManagerPolicyOptions 1.22A- 1.23B+ 1.33G+!
CRDObservedGenerationTracking 1.35B- 1.36B+
CRIContainerLogRotation 1.16B+ 1.21G+! 1.22X
CRIListStreaming 1.36A-
CronJobControllerV2 1.20A- 1.21B+ 1.22G+! 1.23X
CronJobsScheduledAnnotation 1.28B+ 1.32G+! 1.35X
CSIBlockVolume 1.16B+ 1.18G+! 1.21X
CSIDriverRegistry 1.16B+ 1.18G+! 1.21X
CSIMigrationAWS 1.16A- 1.17B- 1.23B+ 1.25G+! 1.27X
CSIMigrationAWSComplete 1.17A- 1.21X
CSIMigrationAzureDisk 1.16A- 1.19B- 1.23B+ 1.24G+ 1.25G+! 1.27X
CSIMigrationAzureDiskComplete 1.17A- 1.21X
CSIMigrationAzureFile 1.16A- 1.21B- 1.24B+ 1.26G+ 1.27G+! 1.30X
CSIMigrationAzureFileComplete 1.17A- 1.21X
CSIMigrationGCE 1.16A- 1.17B- 1.25G+! 1.28X
CSIMigrationGCEComplete 1.17A- 1.21X
CSIMigrationOpenStack 1.16A- 1.18B- 1.20B+ 1.24G+! 1.26X
CSIMigrationOpenStackComplete 1.17A- 1.21X
CSIMigrationPortworx 1.23A- 1.25B- 1.31B+ 1.33G+! 1.36X
CSIMigrationRBD 1.24A- 1.28D- 1.31X
csiMigrationRBD 1.23A- 1.24X
CSIMigrationvSphere 1.19B- 1.25B+ 1.26G+ 1.27G+! 1.29X
CSIMigrationvSphereComplete 1.19B- 1.22X
CSINodeInfo 1.16B+ 1.17G+! 1.21X
CSIPersistentVolume 1.16G+! 1.17X
CSIVolumeHealth 1.21A-
CustomCPUCFSQuotaPeriod 1.16A- 1.36G+
CustomPodDNS 1.16G+! 1.17X
CustomResourceDefaulting 1.16B+ 1.17G+! 1.18X
CustomResourcePublishOpenAPI 1.16G+! 1.18X
CustomResourceSubresources 1.16G+! 1.18X
CustomResourceValidation 1.16G+! 1.18X
CustomResourceWebhookConversion 1.16G+! 1.18X
DebugContainers 1.16A- 1.17X
DeclarativeValidation 1.33B+ 1.36G+!
DeclarativeValidationBeta 1.36B+
DeclarativeValidationTakeover 1.33B- 1.36D-
DefaultPodTopologySpread 1.19A- 1.20B+ 1.24G+! 1.26X
DelegateFSGroupToCSIDriver 1.22A- 1.23B+ 1.26G+! 1.28X
DetectCacheInconsistency 1.34B+
DevicePluginCDIDevices 1.28A- 1.29B+ 1.31G+! 1.34X
DevicePlugins 1.16B+ 1.26G+! 1.28X
DisableAcceleratorUsageMetrics 1.19A- 1.20B+ 1.25G+! 1.28X
DisableCloudProviders 1.22A- 1.29B+ 1.31G+! 1.33X
DisableCPUQuotaWithExclusiveCPUs 1.33B+ 1.36D+
DisableKubeletCloudCredentialProviders 1.23A- 1.29B+ 1.31G+! 1.33X
DRADeviceTaintRules 1.35A- 1.36B-
DRAResourceClaimGranularStatusAuthorization 1.36B+
DRAResourcePoolStatus 1.36A-
DRASchedulerFilterTimeout 1.34B+
DynamicAuditing 1.16A- 1.19X
EfficientWatchResumption 1.20A- 1.21B+ 1.24G+! 1.33X
EndpointSlice 1.16B- 1.18B+ 1.21G+! 1.25X
EndpointSliceProxying 1.18A- 1.19B+ 1.22G+! 1.25X
EventedPLEG 1.26A-
ExecProbeTimeout 1.20G+ 1.35G+!
ExpandInUsePersistentVolumes 1.16B+ 1.24G+ 1.27X
ExperimentalCriticalPodAnnotation 1.16A- 1.17X
ExperimentalHostUserNamespaceDefaulting 1.16B- 1.28D-! 1.30X
ExtendWebSocketsToKubelet 1.36B+
ExternalPolicyForExternalIP 1.18G- 1.19G+ 1.20G+! 1.22X
ExternalServiceAccountTokenSigner 1.32A- 1.34B+ 1.36G+!
GangScheduling 1.35A-
GCERegionalPersistentDisk 1.16G+! 1.17X
GitRepoVolumeDriver ^1.0G+ 1.33D- 1.36D-!
GracefulNodeShutdown 1.20A- 1.21B+
GracefulNodeShutdownBasedOnPodPriority 1.23A- 1.24B+
HonorPVReclaimPolicy 1.23A- 1.31B+ 1.33G+! 1.36X
HugePages 1.16G+! 1.17X
HyperVContainer 1.16A- 1.21X
ImageMaximumGCAge 1.29A- 1.30B+ 1.35G+!
InformerResourceVersion 1.30A- 1.35G+
InOrderInformers 1.33B+ 1.36G+!
InOrderInformersBatchProcess 1.35B+
InPlacePodVerticalScalingAllocatedStatus 1.32A- 1.33D- 1.36X
InPlacePodVerticalScalingExclusiveCPUs 1.32A-
InPlacePodVerticalScalingExclusiveMemory 1.34A-
InTreePluginAWSUnregister 1.21A- 1.31X
InTreePluginAzureDiskUnregister 1.21A- 1.31X
InTreePluginAzureFileUnregister 1.21A- 1.31X
InTreePluginGCEUnregister 1.21A- 1.31X
InTreePluginOpenStackUnregister 1.21A- 1.31X
InTreePluginPortworxUnregister 1.23A- 1.36X
InTreePluginRBDUnregister 1.23A- 1.28D- 1.31X
InTreePluginvSphereUnregister 1.21A- 1.31X
IPTablesOwnershipCleanup 1.25A- 1.27B+ 1.28G+! 1.30X
JobReadyPods 1.23A- 1.24B+ 1.29G+! 1.31X
KMSv1 ^1.0G+ 1.28D+ 1.29D-
KMSv2 1.25A- 1.27B+ 1.29G+! 1.32X
KMSv2KDF 1.28B- 1.29G+! 1.32X
KubeletCgroupDriverFromCRI 1.28A- 1.31B+ 1.34G+!
KubeletCrashLoopBackOffMax 1.32A- 1.35B+
KubeletCredentialProviders 1.20A- 1.24B+ 1.26G+! 1.28X
KubeletInUserNamespace 1.22A-
KubeletPluginsWatcher 1.16G+! 1.17X
KubeletPodResources 1.16B+ 1.28G+! 1.30X
KubeletPodResourcesDynamicResources 1.27A- 1.34B+ 1.36G+!
KubeletPodResourcesGet 1.27A- 1.34B+ 1.36G+!
KubeletPodResourcesGetAllocatable 1.21A- 1.23B+ 1.28G+! 1.29X
KubeletPodResourcesListUseActivePods ^1.0G- 1.34D+
KubeletPSI 1.33A- 1.34B+ 1.36G+!
KubeletRegistrationGetOnExistsOnly ^1.0G+ 1.32D-
KubeletSeparateDiskGC 1.29A- 1.31B+
KubeletServiceAccountTokenForCredentialProviders 1.33A- 1.34B+
KubeletTracing 1.25A- 1.27B+ 1.34G+!
KubeProxyDrainingTerminatingNodes 1.28A- 1.30B+ 1.31G+! 1.33X
LegacyNodeRoleBehavior 1.16A+ 1.19B+ 1.21G-! 1.22X
LegacySidecarContainers 1.33D- 1.34X
ListFromCacheSnapshot 1.33A- 1.34B+
LocalStorageCapacityIsolationFSQuotaMonitoring 1.15A- 1.31B-
LogarithmicScaleDown 1.21A- 1.22B+ 1.31G+!
LoggingAlphaOptions 1.24A-
LoggingBetaOptions 1.24B+
ManifestBasedAdmissionControlConfig 1.36A-
MemoryManager 1.21A- 1.22B+ 1.32G+! 1.36X
MemoryQoS 1.22A-
MinimizeIPTablesRestore 1.26A- 1.27B+ 1.28G+! 1.30X
MountContainers 1.16A- 1.17X
MultiCIDRRangeAllocator 1.25A- 1.29X
NativeHistograms 1.36A-
NewVolumeManagerReconstruction 1.27B- 1.28B+ 1.30G+! 1.32X
NFTablesProxyMode 1.29A- 1.31B+ 1.33G+!
NodeDisruptionExclusion 1.16A- 1.19B+ 1.21G+! 1.22X
NodeLease 1.16B+ 1.17G+! 1.23X
NodeLogQuery 1.27A- 1.30B- 1.36G+!
NodeOutOfServiceVolumeDetach 1.24A- 1.26B+ 1.28G+! 1.32X
NodeSwap 1.22A- 1.28B- 1.30B+ 1.34G+!
NominatedNodeNameForExpectation 1.34A- 1.35B+
OpportunisticBatching 1.35B+
PersistentLocalVolumes 1.16G+! 1.17X
PersistentVolumeClaimUnusedSinceTime 1.36A-
PLEGOnDemandRelist 1.36B+
PodAndContainerStatsFromCRI 1.23A-
PodDisruptionBudget 1.16B+ 1.20G+! 1.25X
PodHasNetworkCondition 1.25A- 1.28X
PodIndexLabel 1.28B+ 1.32G+! 1.35X
PodLevelResourceManagers 1.36A-
PodPriority 1.16G+! 1.18X
PodReadinessGates 1.16G+! 1.17X
PodsAPI 1.36A-
PreferNominatedNode 1.21A- 1.22B+ 1.24G+! 1.26X
PreventStaticPodAPIReferences 1.34B+
ProbeHostPodSecurityStandards 1.34G+! 1.35X
ProxyTerminatingEndpoints 1.22A- 1.26B+ 1.28G+! 1.30X
QOSReserved 1.11A-
ReduceDefaultCrashLoopBackOffDecay 1.33A-
ReloadKubeletClientCAFile 1.36B+
ReloadKubeletServerCertificateFile 1.31B+
RequestManagement 1.16A- 1.17X
ResilientWatchCacheInitialization 1.31B+ 1.34G+!
ResourceLimitsPriorityFunction 1.16A- 1.19X
ResourceQuotaScopeSelectors 1.16B+ 1.17G+! 1.18X
RetryGenerateName 1.30A- 1.31B+ 1.32G+!
RotateKubeletClientCertificate 1.16B+ 1.19G+! 1.21X
RotateKubeletServerCertificate 1.7A- 1.12B+
RuntimeClass 1.16B+ 1.20G+! 1.24X
RuntimeClassInImageCriApi 1.29A-
ScheduleDaemonSetPods 1.16B+ 1.17G+! 1.18X
SchedulerAsyncAPICalls 1.34B-
SchedulerAsyncPreemption 1.32A- 1.33B+
SchedulerPopFromBackoffQ 1.33B+
SchedulerQueueingHints 1.28B- 1.32B+ 1.34G+!
SeccompDefault 1.22A- 1.25B+ 1.27G+! 1.29X
SecurityContextDeny 1.27A- 1.30X
SelectorIndex 1.18A- 1.19B+ 1.20G+! 1.25X
SELinuxMount 1.30A- 1.33B-
SeparateCacheWatchRPC 1.28B+ 1.33D- 1.36D-!
SeparateTaintEvictionController 1.29B+ 1.34G+!
ServiceAccountNodeAudienceRestriction 1.32B- 1.33B+
ServiceIPStaticSubrange 1.24A- 1.25B+ 1.26G+! 1.28X
ServiceLoadBalancerFinalizer 1.16B+ 1.17G+! 1.21X
ServiceNodeExclusion 1.16A- 1.19B+ 1.21G+! 1.22X
ServiceNodePortStaticSubrange 1.27A- 1.28B+ 1.29G+! 1.31X
ShardedListAndWatch 1.36A-
SizeBasedListCostEstimate 1.34B+
SizeMemoryBackedVolumes 1.20A- 1.22B+ 1.32G+! 1.35X
SkipReadOnlyValidationGCE 1.28A- 1.29D+ 1.31X
StableLoadBalancerNodeSet 1.27B+ 1.30G+! 1.32X
StaleControllerConsistencyDaemonSet 1.36B+
StaleControllerConsistencyJob 1.36B+
StaleControllerConsistencyReplicaSet 1.36B+
StaleControllerConsistencyStatefulSet 1.36B+
StatefulSetSemanticRevisionComparison ^1.0B+ 1.34B+
StorageCapacityScoring 1.33A-
StorageNamespaceIndex 1.30B+ 1.33D+
StreamingCollectionEncodingToJSON 1.33B+ 1.34G+!
StreamingCollectionEncodingToProtobuf 1.33B+ 1.34G+!
StreamingProxyRedirects 1.16B+ 1.18D+ 1.22D- 1.24X
StructuredAuthenticationConfigurationJWKSMetrics 1.35B+
SupportIPVSProxyMode 1.16G+ 1.21X
SupportNodePidsLimit 1.16B+ 1.20G+! 1.23X
SupportPodPidsLimit 1.16B+ 1.20G+! 1.23X
SystemdWatchdog 1.32B+ 1.35G+!
TaintBasedEvictions 1.16B+ 1.18G+! 1.21X
TokenRequest 1.16B+ 1.21X
TokenRequestServiceAccountUIDValidation 1.34B+
TopologyManager 1.16A- 1.18B+ 1.27G+! 1.29X
TopologyManagerPolicyAlphaOptions 1.26A-
TopologyManagerPolicyBetaOptions 1.26B- 1.28B+
TopologyManagerPolicyOptions 1.26A- 1.28B+ 1.32G+ 1.36G+!
UnauthenticatedHTTP2DOSMitigation 1.25B- 1.29B+
UnknownVersionInteroperabilityProxy 1.28A- 1.36B+
UnlockWhileProcessingFIFO 1.36B+
UserNamespacesPodSecurityStandards 1.29A- 1.35X
ValidateProxyRedirects 1.16B+ 1.22D+ 1.24X
VolumeCapacityPriority 1.21A- 1.33X
VolumeScheduling 1.16G+! 1.17X
WatchBookmark 1.16B+ 1.17G+! 1.33X
WatchFromStorageWithoutResourceVersion 1.27B- 1.33D-! 1.36X
WatchListClient 1.30B- 1.35B+
WindowsCPUAndMemoryAffinity 1.32A-
WindowsEndpointSliceProxying 1.19A- 1.21B+ 1.22G+! 1.25X
WindowsGracefulNodeShutdown 1.32A- 1.34B+
WindowsHostNetwork 1.26A+ 1.33D-
WinDSR 1.14A- 1.33B+ 1.34G+!
WinOverlay 1.14A- 1.20B+ 1.34G+!
WorkloadWithJob 1.36A-
`;
