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
import {
  type OptionalPluginName,
  ofOptional,
  ofResources,
  type ResourcePluginName,
} from "./participations.ts";
import { mutatingPlugin, validatingPlugin } from "./plugins/dynamic-plugin.ts";
import { limitRanger } from "./plugins/limit-ranger.ts";
import { namespaceLifecycle } from "./plugins/namespace-lifecycle.ts";
import { nodeRestriction } from "./plugins/node-restriction.ts";
import { resourceQuota } from "./plugins/resource-quota.ts";
import type { QuotaAccess } from "./quota/quota-access.ts";
import type { ResourcePluginEnvironment } from "./resource-plugins.ts";

/** What the plugins need from the server. */
export interface AdmissionEnvironment
  extends QuotaAccess,
    OptionalPluginEnvironment,
    ResourcePluginEnvironment {
  readonly lister: FollowingLister;
  readonly release: Release;
  readonly clock: Clock;
  readonly metrics: AdmissionMetrics;
  /** The uid of a review. */
  readonly newUid: () => string;
  /** Loads what webhooks and policies need to see objects in other versions. */
  readonly loadObjects: () => Promise<ObjectInterfaces>;
}

/** The plugins besides those of `participations.ts`; undefined for one whose feature gate is off. */
const makers: {
  readonly [name in PluginName]?: (environment: AdmissionEnvironment) => AdmissionPlugin | undefined;
} = {
  NamespaceLifecycle: ({ lister }) => namespaceLifecycle(lister),
  LimitRanger: ({ lister }) => limitRanger(lister),
  NodeRestriction: ({ lister, gates }) => nodeRestriction(lister, gates),
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
      if (isForResources(name)) return forResources(name, environment);
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

function forResources(name: ResourcePluginName, environment: AdmissionEnvironment): AdmissionPlugin {
  return onDemand(name, ofResources[name], async () => {
    const { resourcePlugins } = await import("./resource-plugins.ts");
    return resourcePlugins[name](environment);
  });
}

function isForResources(name: PluginName): name is ResourcePluginName {
  return name in ofResources;
}
