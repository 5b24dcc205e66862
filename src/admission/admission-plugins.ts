import type { Clock } from "../apimachinery/clock.ts";
import type { GroupResource } from "../apimachinery/group-version.ts";
import type { JsonObject } from "../apimachinery/json.ts";
import type { FollowingLister } from "../apimachinery/lister.ts";
import type { Release } from "../apimachinery/release.ts";
import type { HostCredentials } from "../webhooks/host-credentials.ts";
import type { AdmissionPlugin } from "./contract/admission.ts";
import type { AdmissionMetrics } from "./contract/admission-metrics.ts";
import type { ObjectInterfaces } from "./contract/object-interfaces.ts";
import { type PluginName, pluginsOf } from "./contract/plugin-order.ts";
import { onDemand } from "./on-demand.ts";
import type { OptionalPluginEnvironment } from "./optional-plugins.ts";
import { type OptionalPluginName, ofOptional, ofPods, type PodPluginName } from "./participations.ts";
import { certificateApproval } from "./plugins/certificate-approval.ts";
import { certificateSigning } from "./plugins/certificate-signing.ts";
import { certificateSubjectRestriction } from "./plugins/certificate-subject-restriction.ts";
import { clusterTrustBundleAttest } from "./plugins/cluster-trust-bundle-attest.ts";
import { defaultIngressClass } from "./plugins/default-ingress-class.ts";
import { defaultStorageClass } from "./plugins/default-storage-class.ts";
import { mutatingPlugin, validatingPlugin } from "./plugins/dynamic-plugin.ts";
import { limitRanger } from "./plugins/limit-ranger.ts";
import { namespaceLifecycle } from "./plugins/namespace-lifecycle.ts";
import { nodeRestriction } from "./plugins/node-restriction.ts";
import { persistentVolumeClaimResize } from "./plugins/persistent-volume-claim-resize.ts";
import { type PodTemplateOf, podSecurity } from "./plugins/pod-security.ts";
import { priority } from "./plugins/priority.ts";
import { resourceQuota } from "./plugins/resource-quota.ts";
import { storageObjectInUseProtection } from "./plugins/storage-object-in-use-protection.ts";
import { taintNodesByCondition } from "./plugins/taint-nodes-by-condition.ts";
import type { PodPluginEnvironment } from "./pod-plugins.ts";
import type { QuotaAccess } from "./quota/quota-access.ts";

/** What the plugins need from the server. */
export interface AdmissionEnvironment extends QuotaAccess, OptionalPluginEnvironment, PodPluginEnvironment {
  readonly lister: FollowingLister;
  readonly release: Release;
  readonly clock: Clock;
  readonly metrics: AdmissionMetrics;
  /** The uid of a review. */
  readonly newUid: () => string;
  readonly podTemplateOf: PodTemplateOf;
  /** Loads what webhooks and policies need to see objects in other versions. */
  readonly loadObjects: () => Promise<ObjectInterfaces>;
}

/** The plugins that exist here; undefined for one whose feature gate is off. */
const makers: {
  readonly [name in PluginName]?: (environment: AdmissionEnvironment) => AdmissionPlugin | undefined;
} = {
  NamespaceLifecycle: ({ lister }) => namespaceLifecycle(lister),
  LimitRanger: ({ lister }) => limitRanger(lister),
  ServiceAccount: forPods("ServiceAccount"),
  NodeRestriction: ({ lister, gates }) => nodeRestriction(lister, gates),
  TaintNodesByCondition: taintNodesByCondition,
  PodSecurity: ({ lister, podTemplateOf, gates, configurations }) =>
    podSecurity(lister, podTemplateOf, gates, configurations.get("PodSecurity")),
  Priority: ({ lister }) => priority(lister),
  DefaultTolerationSeconds: forPods("DefaultTolerationSeconds"),
  DefaultStorageClass: ({ lister }) => defaultStorageClass(lister),
  StorageObjectInUseProtection: storageObjectInUseProtection,
  PersistentVolumeClaimResize: ({ lister }) => persistentVolumeClaimResize(lister),
  RuntimeClass: forPods("RuntimeClass"),
  CertificateApproval: ({ authorize }) => certificateApproval(authorize),
  CertificateSigning: ({ authorize }) => certificateSigning(authorize),
  ClusterTrustBundleAttest: ({ authorize, gates }) => clusterTrustBundleAttest(authorize, gates),
  CertificateSubjectRestriction: certificateSubjectRestriction,
  DefaultIngressClass: ({ lister }) => defaultIngressClass(lister),
  MutatingAdmissionPolicy: (environment) => {
    if (!environment.gates.isEnabled("MutatingAdmissionPolicy")) return undefined;
    const plugin = mutatingPlugin({
      name: "MutatingAdmissionPolicy",
      lister: environment.lister,
      resources: [
        configurations("mutatingadmissionpolicies"),
        configurations("mutatingadmissionpolicybindings"),
      ],
      load: withObjects(
        environment,
        async () => (await import("./policies/mutating-policies.ts")).mutatingPolicies,
        "MutatingAdmissionPolicy",
      ),
    });
    // A delete has no object to change.
    return { ...plugin, handles: (operation) => operation !== "DELETE" };
  },
  MutatingAdmissionWebhook: (environment) =>
    mutatingPlugin({
      name: "MutatingAdmissionWebhook",
      lister: environment.lister,
      resources: [configurations("mutatingwebhookconfigurations")],
      load: withObjects(
        environment,
        async () => (await import("./webhooks/mutating-webhooks.ts")).mutatingWebhooks,
        "MutatingAdmissionWebhook",
      ),
    }),
  ValidatingAdmissionPolicy: (environment) => {
    if (!environment.gates.isEnabled("ValidatingAdmissionPolicy")) return undefined;
    return validatingPlugin({
      name: "ValidatingAdmissionPolicy",
      lister: environment.lister,
      resources: [
        configurations("validatingadmissionpolicies"),
        configurations("validatingadmissionpolicybindings"),
      ],
      load: withObjects(
        environment,
        async () => (await import("./policies/validating-policies.ts")).validatingPolicies,
        "ValidatingAdmissionPolicy",
      ),
    });
  },
  ValidatingAdmissionWebhook: (environment) =>
    validatingPlugin({
      name: "ValidatingAdmissionWebhook",
      lister: environment.lister,
      resources: [configurations("validatingwebhookconfigurations")],
      load: withObjects(
        environment,
        async () => (await import("./webhooks/validating-webhooks.ts")).validatingWebhooks,
        "ValidatingAdmissionWebhook",
      ),
    }),
  ResourceQuota: (environment) => resourceQuota(environment, environment.configurations.get("ResourceQuota")),
};

interface LoadedParts {
  readonly objects: ObjectInterfaces;
  readonly credentials?: HostCredentials;
}

async function loadCredentials(configuration: JsonObject, plugin: string): Promise<HostCredentials> {
  const { webhookCredentials } = await import("./webhooks/webhook-credentials.ts");
  return webhookCredentials(configuration, plugin);
}

/** Loads what makes a dispatcher together with what it needs of other resources. */
function withObjects<D>(
  environment: AdmissionEnvironment,
  load: () => Promise<(environment: AdmissionEnvironment & LoadedParts) => D>,
  plugin: PluginName,
): () => Promise<D> {
  return async () => {
    const configuration = environment.configurations.get(plugin);
    const [dispatcherOf, objects, credentials] = await Promise.all([
      load(),
      environment.loadObjects(),
      configuration && loadCredentials(configuration, plugin),
    ]);
    return dispatcherOf({ ...environment, objects, ...(credentials && { credentials }) });
  };
}

function configurations(resource: string): GroupResource {
  return { group: "admissionregistration.k8s.io", resource };
}

/** The plugins of the environment's release that are on, in upstream's order. */
export function admissionPlugins(
  environment: AdmissionEnvironment,
  isOn: (name: string, isDefault: boolean) => boolean,
): readonly AdmissionPlugin[] {
  return pluginsOf(environment.gates.since)
    .filter(({ name, isDefault }) => isOn(name, isDefault))
    .flatMap(({ name }) => {
      const plugin = makers[name]?.(environment);
      if (plugin !== undefined) return plugin;
      // Those that are on by default and do not exist here have no effect.
      return isOptional(name) ? optional(name, environment) : [];
    });
}

function optional(name: OptionalPluginName, environment: AdmissionEnvironment): AdmissionPlugin {
  return onDemand(name, ofOptional[name], async () => {
    const { optionalPlugins } = await import("./optional-plugins.ts");
    return optionalPlugins[name](environment);
  });
}

function isOptional(name: PluginName): name is OptionalPluginName {
  return name in ofOptional;
}

/** A plugin that only looks at pods. */
function forPods(name: PodPluginName): (environment: AdmissionEnvironment) => AdmissionPlugin {
  return (environment) =>
    onDemand(name, ofPods[name], async () => {
      const { podPlugins } = await import("./pod-plugins.ts");
      return podPlugins[name](environment);
    });
}
