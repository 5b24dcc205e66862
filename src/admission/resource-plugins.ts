import type { Authorizer } from "../authorization/contract/authorizer.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { AdmissionPlugin } from "./contract/admission.ts";
import type { PluginConfigurations } from "./contract/plugin-configuration.ts";
import type { ResourcePluginName } from "./participations.ts";
import { certificateApproval } from "./plugins/certificate-approval.ts";
import { certificateSigning } from "./plugins/certificate-signing.ts";
import { certificateSubjectRestriction } from "./plugins/certificate-subject-restriction.ts";
import { clusterTrustBundleAttest } from "./plugins/cluster-trust-bundle-attest.ts";
import { defaultIngressClass } from "./plugins/default-ingress-class.ts";
import { defaultStorageClass } from "./plugins/default-storage-class.ts";
import { defaultTolerationSeconds } from "./plugins/default-toleration-seconds.ts";
import { persistentVolumeClaimResize } from "./plugins/persistent-volume-claim-resize.ts";
import { type PodTemplateOf, podSecurity } from "./plugins/pod-security.ts";
import { podTopologyLabels } from "./plugins/pod-topology-labels.ts";
import { priority } from "./plugins/priority.ts";
import { runtimeClass } from "./plugins/runtime-class.ts";
import { serviceAccount } from "./plugins/service-account.ts";
import type { ServiceAccountEnvironment } from "./plugins/service-account-environment.ts";
import { storageObjectInUseProtection } from "./plugins/storage-object-in-use-protection.ts";
import { taintNodesByCondition } from "./plugins/taint-nodes-by-condition.ts";

/** What the plugins for a few resources need from the server. */
export interface ResourcePluginEnvironment extends ServiceAccountEnvironment {
  readonly authorize: Authorizer;
  readonly configurations: PluginConfigurations;
  readonly podTemplateOf: PodTemplateOf;
}

/** The plugins that are on by default and only look at a few resources. */
export const resourcePlugins: {
  readonly [name in ResourcePluginName]: (environment: ResourcePluginEnvironment) => AdmissionPlugin;
} = {
  ServiceAccount: serviceAccount,
  TaintNodesByCondition: ({ gates }) => gated(taintNodesByCondition(), "TaintNodesByCondition", gates),
  PodTopologyLabels: ({ lister, gates }) => podTopologyLabels(lister, gates),
  PodSecurity: ({ lister, podTemplateOf, gates, configurations }) =>
    gated(podSecurity(lister, podTemplateOf, gates, configurations.get("PodSecurity")), "PodSecurity", gates),
  Priority: ({ lister }) => priority(lister),
  DefaultTolerationSeconds: defaultTolerationSeconds,
  DefaultStorageClass: ({ lister }) => defaultStorageClass(lister),
  StorageObjectInUseProtection: ({ gates }) =>
    gated(storageObjectInUseProtection(gates), "StorageObjectInUseProtection", gates),
  PersistentVolumeClaimResize: ({ lister }) => persistentVolumeClaimResize(lister),
  RuntimeClass: ({ lister, gates }) => runtimeClass(lister, gates),
  CertificateApproval: ({ authorize }) => certificateApproval(authorize),
  CertificateSigning: ({ authorize }) => certificateSigning(authorize),
  ClusterTrustBundleAttest: ({ authorize, gates }) => clusterTrustBundleAttest(authorize, gates),
  CertificateSubjectRestriction: certificateSubjectRestriction,
  DefaultIngressClass: ({ lister, gates }) =>
    gated(defaultIngressClass(lister), "DefaultIngressClass", gates),
};

/** The plugin, which does nothing while its feature is off. */
function gated(plugin: AdmissionPlugin, gate: string, { isEnabled }: FeatureGates): AdmissionPlugin {
  const { admit, validate, ...rest } = plugin;
  return isEnabled(gate) ? plugin : rest;
}
