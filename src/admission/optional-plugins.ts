import type { Clock } from "../apimachinery/clock.ts";
import { listAt, structAt } from "../apimachinery/fields.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { Authorizer } from "../authorization/contract/authorizer.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { WebhookTargets } from "../webhooks/outgoing-targets.ts";
import type { ReviewWire } from "../webhooks/review-wire.ts";
import type { AdmissionPlugin } from "./contract/admission.ts";
import type { PluginConfigurations } from "./contract/plugin-configuration.ts";
import { imagePolicyWebhook } from "./image-policy/image-policy-webhook.ts";
import type { OptionalPluginName } from "./participations.ts";
import { alwaysAdmit, alwaysDeny } from "./plugins/always.ts";
import { alwaysPullImages } from "./plugins/always-pull-images.ts";
import { limitPodHardAntiAffinityTopology } from "./plugins/anti-affinity-topology.ts";
import { denyServiceExternalIps } from "./plugins/deny-service-external-ips.ts";
import { eventRateLimit } from "./plugins/event-rate-limit.ts";
import { extendedResourceToleration } from "./plugins/extended-resource-toleration.ts";
import { namespaceAutoProvision, namespaceExists } from "./plugins/namespace-plugins.ts";
import { ownerReferencesPermissionEnforcement, type ResourceOfKind } from "./plugins/owner-references.ts";
import { type NodeSelectors, podNodeSelector } from "./plugins/pod-node-selector.ts";
import { podTolerationRestriction } from "./plugins/pod-toleration-restriction.ts";

/** What plugins that are off by default need from the server. */
export interface OptionalPluginEnvironment {
  readonly lister: Lister;
  readonly authorize: Authorizer;
  readonly gates: FeatureGates;
  readonly clock: Clock;
  readonly configurations: PluginConfigurations;
  /** What answers for servers that objects name. */
  readonly targets: WebhookTargets;
  /** Changes what is said to webhooks; undefined if nothing does. */
  readonly wire?: ReviewWire | undefined;
  readonly resourceOfKind: ResourceOfKind;
  /** Creates a namespace as the server itself. */
  readonly createNamespace: (name: string) => Promise<unknown>;
}

/** The plugins that users turn on. */
export const optionalPlugins: {
  readonly [name in OptionalPluginName]: (environment: OptionalPluginEnvironment) => AdmissionPlugin;
} = {
  AlwaysAdmit: alwaysAdmit,
  NamespaceAutoProvision: ({ lister, createNamespace }) => namespaceAutoProvision(lister, createNamespace),
  NamespaceExists: ({ lister }) => namespaceExists(lister),
  LimitPodHardAntiAffinityTopology: limitPodHardAntiAffinityTopology,
  AlwaysPullImages: ({ gates }) => alwaysPullImages(gates.since),
  ImagePolicyWebhook: ({ configurations, clock, gates, targets, wire }) =>
    imagePolicyWebhook(configurations.get("ImagePolicyWebhook"), { clock, gates, targets, wire }),
  PodNodeSelector: ({ lister, configurations }) => {
    const configured = structAt(configurations.get("PodNodeSelector") ?? {}, "podNodeSelectorPluginConfig");
    // Its values are selectors.
    return podNodeSelector(lister, configured as NodeSelectors);
  },
  PodTolerationRestriction: ({ lister, configurations }) => {
    const configured = configurations.get("PodTolerationRestriction") ?? {};
    const lists = { default: listAt(configured, "default"), whitelist: listAt(configured, "whitelist") };
    return podTolerationRestriction(lister, lists);
  },
  EventRateLimit: ({ configurations, clock }) => eventRateLimit(configurations.get("EventRateLimit"), clock),
  ExtendedResourceToleration: extendedResourceToleration,
  OwnerReferencesPermissionEnforcement: ({ authorize, resourceOfKind }) =>
    ownerReferencesPermissionEnforcement(authorize, resourceOfKind),
  DenyServiceExternalIPs: denyServiceExternalIps,
  AlwaysDeny: alwaysDeny,
};
