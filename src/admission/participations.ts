import type { AdmissionAttributes } from "./contract/admission.ts";
import type { Participation } from "./on-demand.ts";

const creations = ["CREATE"] as const;
const writes = ["CREATE", "UPDATE"] as const;
const writesAndDeletions = ["CREATE", "UPDATE", "DELETE"] as const;
const everything = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;
const both = ["admit", "validate"] as const;
const concerns = ({ gvr: { group, resource } }: AdmissionAttributes) => group === "" && resource === "pods";

/** A plugin that only looks at pods. */
export type PodPluginName = "DefaultTolerationSeconds" | "RuntimeClass" | "ServiceAccount";

/** When the plugins that only look at pods take part. */
export const ofPods: { readonly [name in PodPluginName]: Participation } = {
  DefaultTolerationSeconds: { operations: writes, phases: ["admit"], concerns },
  RuntimeClass: { operations: creations, phases: both, concerns },
  ServiceAccount: { operations: writes, phases: both, concerns },
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
