import type { AnyRelease, Since } from "../apimachinery/release.ts";

/** An admission plugin of kube-apiserver. */
interface KnownPlugin {
  readonly name: string;
  /** The first release that has it. */
  readonly since?: AnyRelease;
  /** The first release without it. */
  readonly until?: AnyRelease;
  readonly byDefault: "on" | "off";
}

const on = { byDefault: "on" } as const;
const off = { byDefault: "off" } as const;

/** Every plugin in the order in which it runs, in both phases. Upstream: kubernetes, pkg/kubeapiserver/options/plugins.go. */
const knownPlugins = [
  { name: "AlwaysAdmit", ...off },
  { name: "NamespaceAutoProvision", ...off },
  { name: "NamespaceLifecycle", ...on },
  { name: "NamespaceExists", ...off },
  { name: "SecurityContextDeny", until: "1.30", ...off },
  { name: "LimitPodHardAntiAffinityTopology", ...off },
  { name: "PodPreset", until: "1.20", ...off },
  { name: "LimitRanger", ...on },
  { name: "ServiceAccount", ...on },
  { name: "NodeRestriction", ...off },
  { name: "TaintNodesByCondition", ...on },
  { name: "AlwaysPullImages", ...off },
  { name: "ImagePolicyWebhook", ...off },
  { name: "PodSecurity", since: "1.22", ...on },
  { name: "PodSecurityPolicy", until: "1.25", ...off },
  { name: "PodNodeSelector", ...off },
  { name: "Priority", ...on },
  { name: "DefaultTolerationSeconds", ...on },
  { name: "PodTolerationRestriction", ...off },
  { name: "DenyEscalatingExec", until: "1.21", ...off },
  { name: "DenyExecOnPrivileged", until: "1.21", ...off },
  { name: "EventRateLimit", ...off },
  { name: "ExtendedResourceToleration", ...off },
  { name: "PersistentVolumeLabel", until: "1.31", ...off },
  { name: "DefaultStorageClass", ...on },
  { name: "StorageObjectInUseProtection", ...on },
  { name: "OwnerReferencesPermissionEnforcement", ...off },
  { name: "PersistentVolumeClaimResize", ...on },
  { name: "RuntimeClass", ...on },
  { name: "CertificateApproval", since: "1.18", ...on },
  { name: "CertificateSigning", since: "1.18", ...on },
  { name: "ClusterTrustBundleAttest", since: "1.27", ...on },
  { name: "CertificateSubjectRestriction", since: "1.18", ...on },
  { name: "DefaultIngressClass", since: "1.18", ...on },
  { name: "DenyServiceExternalIPs", since: "1.21", ...off },
  { name: "PodTopologyLabels", since: "1.33", ...on },
  { name: "NodeDeclaredFeatureValidator", since: "1.35", ...on },
  { name: "MutatingAdmissionPolicy", since: "1.32", ...on },
  { name: "MutatingAdmissionWebhook", ...on },
  { name: "ValidatingAdmissionPolicy", since: "1.26", ...on },
  { name: "ValidatingAdmissionWebhook", ...on },
  { name: "ResourceQuota", ...on },
  { name: "AlwaysDeny", ...off },
] as const satisfies readonly KnownPlugin[];

/** The name of a plugin that some release has. */
export type PluginName = (typeof knownPlugins)[number]["name"];

/** The plugins of a release in order, and whether each is on by default. */
export function pluginsOf(
  since: Since<AnyRelease>,
): readonly { readonly name: PluginName; readonly isDefault: boolean }[] {
  return knownPlugins
    .filter((plugin: KnownPlugin) => since(plugin.since ?? "1.0") && !since(plugin.until ?? "1.999"))
    .map(({ name, byDefault }) => ({ name, isDefault: byDefault === "on" }));
}
