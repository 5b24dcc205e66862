import { type AdmissionChain, admissionChain } from "../admission/admission-chain.ts";
import { admissionPlugins } from "../admission/admission-plugins.ts";
import type { AdmissionMetrics } from "../admission/contract/admission-metrics.ts";
import type { PodTemplateOf } from "../admission/plugins/pod-security.ts";
import type { QuotaAccess } from "../admission/quota/quota-access.ts";
import { builtInKinds } from "../kinds/kinds.ts";
import type { LoadQuotaEvaluators } from "../registry/contract/quota-evaluator.ts";
import type { Kinds } from "../registry/kinds.ts";
import type { WebhookTargets } from "../webhooks/outgoing-targets.ts";
import type { ClusterClient } from "./client.ts";
import type { Config } from "./options.ts";
import type { ServedState } from "./served-state.ts";

/** What admission has of the server, besides the configuration and the state. */
interface AdmissionAccess extends Pick<QuotaAccess, "quotaMutex" | "updateQuotaStatus"> {
  /** Creates a namespace as the server itself. */
  readonly createNamespace: (name: string) => Promise<unknown>;
  readonly metrics: AdmissionMetrics;
  readonly targets: WebhookTargets;
  /** Resolves when the controllers have caught up. */
  readonly settle: () => Promise<void>;
}

/** What the server has for admission. */
interface ServerParts extends Pick<AdmissionAccess, "quotaMutex"> {
  readonly serverClient: ClusterClient;
  readonly updateStatus: AdmissionAccess["updateQuotaStatus"];
}

/** Makes chains of admission that differ in where webhooks are. */
export function admissionOf(
  config: Config,
  state: ServedState,
  controllers: { settle(): Promise<void> },
  { serverClient, updateStatus, quotaMutex }: ServerParts,
  metrics: AdmissionMetrics,
): (targets: WebhookTargets) => AdmissionChain {
  const createNamespace = (name: string) =>
    serverClient.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const settle = () => controllers.settle();
  const access = { metrics, createNamespace, settle, updateQuotaStatus: updateStatus, quotaMutex };
  return (targets) => admissionFor(config, state, { ...access, targets });
}

/** The chain of the plugins that are on. */
function admissionFor(
  config: Config,
  { registry, served, scopes, kinds }: ServedState,
  access: AdmissionAccess,
): AdmissionChain {
  const { clock, identifiers, featureGates: gates, catalog, reviewWire: wire } = config;
  const environment = {
    ...access,
    lister: registry,
    authorize: registry.authorization.authorize,
    release: catalog.release,
    gates,
    clock,
    wire,
    configurations: config.admissionConfigurations,
    suffix: identifiers.suffix,
    newUid: identifiers.auditId,
    podTemplateOf: podTemplatesOf(kinds),
    resourceOfKind: (apiVersion: string, kind: string) => served.current.resourceOfKind(apiVersion, kind),
    quotaEvaluators: quotaEvaluatorsOf(kinds),
    loadObjects: async () => {
      const { admittedVersions } = await import("../endpoints/requests/admitted-versions.ts");
      return admittedVersions(served, scopes);
    },
  };
  return admissionChain(admissionPlugins(environment, config.admission), environment);
}

/** The paths of pod templates. Upstream's PodSecurity does not look into workloads of the group extensions. */
function podTemplatesOf(kinds: Kinds): PodTemplateOf {
  return (gr) => {
    const definition = kinds.definitionOf(gr);
    return definition?.group === gr.group ? definition.podTemplate : undefined;
  };
}

/** How resources count against quotas. Those that only have a name are not loaded. */
export function quotaEvaluatorsOf(kinds: Kinds): LoadQuotaEvaluators {
  return async () => {
    const resources = builtInKinds.filter(({ quota }) => typeof quota === "function");
    const evaluators = await Promise.all(
      resources.map(
        async ({ quota }) => [quota, typeof quota === "function" ? await quota() : quota] as const,
      ),
    );
    const loaded = new Map(evaluators);
    return {
      evaluatorOf: (gr) => {
        const quota = kinds.definitionOf(gr)?.quota;
        return typeof quota === "function" ? loaded.get(quota) : quota;
      },
      resources,
    };
  };
}
