/** How the internal form of a type differs from the version in which it is stored. */
export interface InternalDifference {
  /** The first fields, in this order. */
  readonly order?: readonly string[];
  /** Fields that the internal type does not have. */
  readonly without?: readonly string[];
  /** Fields that a structure within the type has instead. */
  readonly moved?: { readonly into: string; readonly fields: readonly string[] };
  /** Go names by JSON name, where they do not follow from it. */
  readonly names?: { readonly [field: string]: string };
  /** Pointers that are no pointers in the internal type. */
  readonly plain?: readonly string[];
}

/** The differences by name of the internal type. Everything else follows from the catalog. */
export const internalDifferences: ReadonlyMap<string, InternalDifference> = new Map<
  string,
  InternalDifference
>([
  [
    "core.PodSpec",
    {
      order:
        `volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds
        activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName automountServiceAccountToken nodeName
        securityContext imagePullSecrets hostname subdomain setHostnameAsFQDN affinity schedulerName tolerations
        hostAliases priorityClassName priority preemptionPolicy dnsConfig readinessGates runtimeClassName overhead
        enableServiceLinks topologySpreadConstraints os schedulingGates resourceClaims`.split(/\s+/),
      without: ["serviceAccount"],
      moved: {
        into: "securityContext",
        fields: ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"],
      },
    },
  ],
  ["core.ServiceAccountTokenProjection", { plain: ["expirationSeconds"] }],
  ["apps.RollingUpdateDaemonSet", { plain: ["maxUnavailable", "maxSurge"] }],
  ["apps.RollingUpdateDeployment", { plain: ["maxUnavailable", "maxSurge"] }],
  ["apps.RollingUpdateStatefulSetStrategy", { plain: ["partition"] }],
  ["flowcontrol.LimitedPriorityLevelConfiguration", { plain: ["nominalConcurrencyShares"] }],
  [
    "resource.DeviceAttribute",
    {
      names: {
        int: "IntValue",
        bool: "BoolValue",
        string: "StringValue",
        version: "VersionValue",
        ints: "IntValues",
        bools: "BoolValues",
        strings: "StringValues",
        versions: "VersionValues",
      },
    },
  ],
  ["v1.ObjectMeta", { plain: ["creationTimestamp"] }],
  [
    "core.PersistentVolumeSource",
    {
      order:
        `gcePersistentDisk awsElasticBlockStore hostPath glusterfs nfs rbd quobyte iscsi flexVolume cinder cephfs
        fc flocker azureFile vsphereVolume azureDisk photonPersistentDisk portworxVolume scaleIO local storageos
        csi`.split(/\s+/),
    },
  ],
]);
