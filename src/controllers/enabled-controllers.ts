/** The names of all controllers. A test compares them with the controllers. */
export const controllerNames: readonly string[] = [
  "serviceaccount-controller",
  "root-ca-certificate-publisher-controller",
  "namespace-controller",
  "garbage-collector-controller",
  "resourcequota-controller",
  "event-expiry",
  "bootstrap-controller",
  "cluster-authentication-info-controller",
  "persistentvolumeclaim-protection-controller",
  "persistentvolume-protection-controller",
  "volumeattributesclass-protection-controller",
  "certificatesigningrequest-approving-controller",
  "certificatesigningrequest-signing-controller",
  "certificatesigningrequest-cleaner-controller",
  "serviceaccount-token-controller",
  "legacy-serviceaccount-token-cleaner-controller",
  "token-cleaner-controller",
  "bootstrap-signer-controller",
  "clusterrole-aggregation-controller",
  "validatingadmissionpolicy-status-controller",
  "priority-and-fairness-config-consumer",
  "storage-version-migrator-controller",
  "kube-apiserver-identity-lease-garbage-collector",
  "storageversion-garbage-collector-controller",
  "service-cidr-controller",
  "ipallocator-repair-controller",
];

/** The names of the controllers that run only in a simulated cluster. A test compares them with the controllers. */
export const simulatedControllerNames: readonly string[] = [
  "endpoints-controller",
  "endpointslice-controller",
  "endpointslice-mirroring-controller",
  "replicationcontroller-controller",
  "replicaset-controller",
  "deployment-controller",
  "statefulset-controller",
  "daemonset-controller",
  "job-controller",
  "ttl-after-finished-controller",
  "cronjob-controller",
  "horizontal-pod-autoscaler-controller",
  "disruption-controller",
  "pod-garbage-collector-controller",
  "node-lifecycle-controller",
  "taint-eviction-controller",
  "ttl-controller",
  "persistentvolume-binder-controller",
  "persistentvolume-expander-controller",
  "ephemeral-volume-controller",
];

/** Upstream: `ControllersDisabledByDefault` of kube-controller-manager. */
const disabledByDefault: ReadonlySet<string> = new Set([
  "token-cleaner-controller",
  "bootstrap-signer-controller",
]);

/**
 * Whether a controller is enabled by the list of `--controllers`: `*` enables all but those of bootstrap tokens, `name` enables one and `-name`
 * disables one, which takes precedence over `*`. An empty list enables none.
 */
export function isControllerEnabled(name: string, list: readonly string[]): boolean {
  if (list.includes(`-${name}`)) return false;
  return list.includes(name) || (list.includes("*") && !disabledByDefault.has(name));
}
