/** The gates that decide which fields of a pod are kept and what is allowed in them. */
export interface PodFeatures {
  readonly dynamicResourceAllocation: boolean;
  readonly imageVolume: boolean;
  readonly inPlacePodVerticalScaling: boolean;
  readonly podLifecycleSleepActionAllowZero: boolean;
  readonly podLogsQuerySplitStreams: boolean;
  readonly procMountType: boolean;
  readonly relaxedDnsSearchValidation: boolean;
  readonly relaxedEnvironmentVariableValidation: boolean;
  readonly resourceHealthStatus: boolean;
  readonly seLinuxChangePolicy: boolean;
  readonly supplementalGroupsPolicy: boolean;
  readonly userNamespacesSupport: boolean;
}

/** The gates as 1.32 has them when nobody sets any. */
export const defaultPodFeatures: PodFeatures = {
  dynamicResourceAllocation: false,
  imageVolume: false,
  inPlacePodVerticalScaling: false,
  podLifecycleSleepActionAllowZero: false,
  podLogsQuerySplitStreams: false,
  procMountType: false,
  relaxedDnsSearchValidation: false,
  relaxedEnvironmentVariableValidation: true,
  resourceHealthStatus: false,
  seLinuxChangePolicy: false,
  supplementalGroupsPolicy: false,
  userNamespacesSupport: false,
};
