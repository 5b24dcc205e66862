import type { Participation } from "./on-demand.ts";

const creations = ["CREATE"] as const;
const writes = ["CREATE", "UPDATE"] as const;
const writesAndDeletions = ["CREATE", "UPDATE", "DELETE"] as const;
const everything = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;
const both = ["admit", "validate"] as const;
/** Some resources of a group. */
function about(wanted: string, ...resources: readonly string[]): Required<Participation>["concerns"] {
  return ({ group, resource }) => group === wanted && resources.includes(resource);
}

const ofPods = about("", "pods");
const ofClaims = about("", "persistentvolumeclaims");
const ofSigningRequests = about("certificates.k8s.io", "certificatesigningrequests");
/** The groups whose objects contain templates of pods. */
const groupsOfTemplates: ReadonlySet<string> = new Set(["apps", "batch", "extensions"]);
const resourcesOfPodSecurity: ReadonlySet<string> = new Set([
  "pods",
  "namespaces",
  "podtemplates",
  "replicationcontrollers",
]);

/** A plugin that is on by default and only looks at a few resources. */
export type ResourcePluginName =
  | "ServiceAccount"
  | "TaintNodesByCondition"
  | "PodTopologyLabels"
  | "PodSecurity"
  | "Priority"
  | "DefaultTolerationSeconds"
  | "DefaultStorageClass"
  | "StorageObjectInUseProtection"
  | "PersistentVolumeClaimResize"
  | "RuntimeClass"
  | "CertificateApproval"
  | "CertificateSigning"
  | "ClusterTrustBundleAttest"
  | "CertificateSubjectRestriction"
  | "DefaultIngressClass";

/** When the plugins that only look at a few resources take part. */
export const ofResources: { readonly [name in ResourcePluginName]: Participation } = {
  ServiceAccount: { operations: writes, phases: both, concerns: ofPods },
  TaintNodesByCondition: { operations: creations, phases: ["admit"], concerns: about("", "nodes") },
  PodTopologyLabels: { operations: creations, phases: ["admit"], concerns: ofPods },
  PodSecurity: {
    operations: writes,
    phases: ["validate"],
    concerns: ({ group, resource }) =>
      group === "" ? resourcesOfPodSecurity.has(resource) : groupsOfTemplates.has(group),
  },
  Priority: {
    operations: writes,
    phases: both,
    concerns: ({ group, resource }) => (group === "" ? resource === "pods" : group === "scheduling.k8s.io"),
  },
  DefaultTolerationSeconds: { operations: writes, phases: ["admit"], concerns: ofPods },
  DefaultStorageClass: { operations: creations, phases: ["admit"], concerns: ofClaims },
  StorageObjectInUseProtection: {
    operations: creations,
    phases: ["admit"],
    concerns: ({ resource }) => /^(persistentvolume(claim)?s|volumeattributesclasses)$/.test(resource),
  },
  PersistentVolumeClaimResize: { operations: ["UPDATE"], phases: ["validate"], concerns: ofClaims },
  RuntimeClass: { operations: creations, phases: both, concerns: ofPods },
  CertificateApproval: { operations: ["UPDATE"], phases: ["validate"], concerns: ofSigningRequests },
  CertificateSigning: { operations: ["UPDATE"], phases: ["validate"], concerns: ofSigningRequests },
  ClusterTrustBundleAttest: {
    operations: writes,
    phases: ["validate"],
    concerns: about("certificates.k8s.io", "clustertrustbundles"),
  },
  CertificateSubjectRestriction: { operations: creations, phases: ["validate"], concerns: ofSigningRequests },
  DefaultIngressClass: {
    operations: creations,
    phases: ["admit"],
    concerns: about("networking.k8s.io", "ingresses"),
  },
};

/** A plugin that users turn on. */
export type OptionalPluginName =
  | "AlwaysAdmit"
  | "NamespaceAutoProvision"
  | "NamespaceExists"
  | "LimitPodHardAntiAffinityTopology"
  | "AlwaysPullImages"
  | "ImagePolicyWebhook"
  | "PodNodeSelector"
  | "PodTolerationRestriction"
  | "EventRateLimit"
  | "ExtendedResourceToleration"
  | "OwnerReferencesPermissionEnforcement"
  | "DenyServiceExternalIPs"
  | "AlwaysDeny";

/** When the plugins that users turn on take part. */
export const ofOptional: { readonly [name in OptionalPluginName]: Participation } = {
  AlwaysAdmit: { operations: everything, phases: both },
  NamespaceAutoProvision: { operations: creations, phases: ["admit"] },
  NamespaceExists: { operations: writesAndDeletions, phases: ["validate"] },
  LimitPodHardAntiAffinityTopology: { operations: writes, phases: ["validate"] },
  AlwaysPullImages: { operations: writes, phases: both },
  ImagePolicyWebhook: { operations: writes, phases: ["validate"] },
  PodNodeSelector: { operations: creations, phases: both },
  PodTolerationRestriction: { operations: writes, phases: both },
  EventRateLimit: { operations: writes, phases: ["validate"] },
  ExtendedResourceToleration: { operations: writes, phases: ["admit"] },
  OwnerReferencesPermissionEnforcement: { operations: writes, phases: ["validate"] },
  DenyServiceExternalIPs: { operations: writes, phases: ["validate"] },
  AlwaysDeny: { operations: everything, phases: both },
};
