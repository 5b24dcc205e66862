import type { Release, Since } from "../../apimachinery/release.ts";

/** An admission plugin of kube-apiserver. */
interface KnownPlugin {
  readonly name: string;
  /** The first release that has it. */
  readonly since?: Release;
  /** The first release without it. */
  readonly until?: Release;
  readonly isDefault: boolean;
}

/** Every plugin in the order in which it runs, in both phases. Upstream: kubernetes, pkg/kubeapiserver/options/plugins.go. */
const knownPlugins = [
  { name: "AlwaysAdmit", isDefault: false },
  { name: "NamespaceAutoProvision", isDefault: false },
  { name: "NamespaceLifecycle", isDefault: true },
  { name: "NamespaceExists", isDefault: false },
  { name: "SecurityContextDeny", until: "1.30", isDefault: false },
  { name: "LimitPodHardAntiAffinityTopology", isDefault: false },
  { name: "PodPreset", until: "1.20", isDefault: false },
  { name: "LimitRanger", isDefault: true },
  { name: "ServiceAccount", isDefault: true },
  { name: "NodeRestriction", isDefault: false },
  { name: "TaintNodesByCondition", isDefault: true },
  { name: "AlwaysPullImages", isDefault: false },
  { name: "ImagePolicyWebhook", isDefault: false },
  { name: "PodSecurity", since: "1.22", isDefault: true },
  { name: "PodSecurityPolicy", until: "1.25", isDefault: false },
  { name: "PodNodeSelector", isDefault: false },
  { name: "Priority", isDefault: true },
  { name: "DefaultTolerationSeconds", isDefault: true },
  { name: "PodTolerationRestriction", isDefault: false },
  { name: "DenyEscalatingExec", until: "1.21", isDefault: false },
  { name: "DenyExecOnPrivileged", until: "1.21", isDefault: false },
  { name: "EventRateLimit", isDefault: false },
  { name: "ExtendedResourceToleration", isDefault: false },
  { name: "PersistentVolumeLabel", until: "1.31", isDefault: false },
  { name: "DefaultStorageClass", isDefault: true },
  { name: "StorageObjectInUseProtection", isDefault: true },
  { name: "OwnerReferencesPermissionEnforcement", isDefault: false },
  { name: "PersistentVolumeClaimResize", isDefault: true },
  { name: "RuntimeClass", isDefault: true },
  { name: "CertificateApproval", since: "1.18", isDefault: true },
  { name: "CertificateSigning", since: "1.18", isDefault: true },
  { name: "ClusterTrustBundleAttest", since: "1.27", isDefault: true },
  { name: "CertificateSubjectRestriction", since: "1.18", isDefault: true },
  { name: "DefaultIngressClass", since: "1.18", isDefault: true },
  { name: "DenyServiceExternalIPs", since: "1.21", isDefault: false },
  { name: "PodTopologyLabels", since: "1.33", isDefault: true },
  { name: "NodeDeclaredFeatureValidator", since: "1.35", isDefault: true },
  { name: "MutatingAdmissionPolicy", since: "1.32", isDefault: true },
  { name: "MutatingAdmissionWebhook", isDefault: true },
  { name: "ValidatingAdmissionPolicy", since: "1.26", isDefault: true },
  { name: "ValidatingAdmissionWebhook", isDefault: true },
  { name: "ResourceQuota", isDefault: true },
  { name: "AlwaysDeny", isDefault: false },
] as const;

/** The name of a plugin that some release has. */
export type PluginName = (typeof knownPlugins)[number]["name"];

/** The plugins that are off by default and do not exist here. */
export const missingPlugins: ReadonlySet<string> = new Set<PluginName>([
  "SecurityContextDeny",
  "PodPreset",
  "PodSecurityPolicy",
  "DenyEscalatingExec",
  "DenyExecOnPrivileged",
  "PersistentVolumeLabel",
]);

/** The plugins of a release in order, and whether each is on by default. */
export function pluginsOf(
  since: Since,
): readonly { readonly name: PluginName; readonly isDefault: boolean }[] {
  return knownPlugins
    .filter(({ since: first, until }: KnownPlugin) => {
      if (first !== undefined && !since(first)) return false;
      return until === undefined || !since(until);
    })
    .map(({ name, isDefault }) => ({ name, isDefault }));
}
