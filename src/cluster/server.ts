import { admissionChain } from "../admission/admission-chain.ts";
import { type AdmissionEnvironment, defaultPlugins } from "../admission/default-plugins.ts";
import type { PodTemplateOf } from "../admission/plugins/pod-security.ts";
import { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { UserInfo } from "../apimachinery/user-info.ts";
import { anyOf } from "../authentication/authenticator.ts";
import { bearerToken } from "../authentication/bearer-token.ts";
import type { StaticTokens } from "../authentication/static-token.ts";
import { alwaysAllow, alwaysDeny, everyRule, noRule } from "../authorization/always.ts";
import type { Authorization } from "../authorization/authorizer.ts";
import { rbac, rbacRules } from "../authorization/rbac.ts";
import { formatsOf } from "../codec/media-types/formats.ts";
import { ControllerManager } from "../controllers/controller-manager.ts";
import { allControllers, type ControllerEnvironment } from "../controllers/controllers.ts";
import { isControllerEnabled } from "../controllers/enabled-controllers.ts";
import type { EndpointEnvironment } from "../endpoints/contract/environment.ts";
import { FieldManagers } from "../endpoints/contract/field-managers.ts";
import { ResourceScopes } from "../endpoints/contract/resource-scopes.ts";
import { ServerMetrics } from "../endpoints/contract/server-metrics.ts";
import type { WatchDeliveries } from "../endpoints/contract/watch-deliveries.ts";
import { builtInKinds } from "../kinds/kinds.ts";
import type { QuotaEvaluators } from "../registry/contract/quota-evaluator.ts";
import { Kinds } from "../registry/kinds.ts";
import { ResourceRegistry } from "../registry/resource-registry.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import type { Handler } from "../request/handler.ts";
import type { ReachabilityControl } from "../request/reachability.ts";
import type { Faults } from "../scenario/faults.ts";
import type { OpenWatches } from "../scenario/open-watches.ts";
import type { RequestLog } from "../scenario/request-log.ts";
import type { StateView } from "../scenario/state-view.ts";
import { watchFormatOf } from "../scenario/watch-format.ts";
import type { Store } from "../store/store.ts";
import { serviceOfApi } from "./bootstrap.ts";
import { ClusterClient } from "./client.ts";
import { FlowSchemas } from "./flow-schemas.ts";
import type { AuthorizationMode, Config } from "./options.ts";
import { ReplicaView } from "./replica-view.ts";
import { RequestObserver } from "./request-observer.ts";
import { createHandler, type Pipeline } from "./serve.ts";
import { otherWriter, stateChanges } from "./state-changes.ts";

const authorizations: { readonly [mode in AuthorizationMode]: Authorization } = {
  AlwaysAllow: { authorizer: () => alwaysAllow, ruleResolver: () => everyRule },
  AlwaysDeny: { authorizer: () => alwaysDeny, ruleResolver: () => noRule },
  RBAC: { authorizer: rbac, ruleResolver: rbacRules },
};

const apiserver: UserInfo = { name: "system:apiserver", uid: "", groups: ["system:masters"], extra: {} };
const apiserverAgent = "kube-apiserver";

const controllerManager: UserInfo = {
  name: "system:kube-controller-manager",
  uid: "",
  groups: ["system:masters"],
  extra: {},
};
const events = { group: "", resource: "events" };
const controllerManagerAgent = "kube-controller-manager";

/** What a server is made of. */
export interface ServerOptions {
  readonly config: Config;
  /** Holds what the server made for itself. */
  readonly store: Store<KubeObject>;
  readonly tokens: StaticTokens;
  /** With it the objects come in that the cluster holds from the beginning. */
  readonly adminToken: string;
  /** Where the requests of clients are noted down. */
  readonly log: RequestLog;
  /** What strikes them. */
  readonly faults: Faults;
  /** What orders what their watches are told. */
  readonly deliveries: WatchDeliveries;
  /** Whether they get here at all. */
  readonly reachability: ReachabilityControl;
  /** Their watches. */
  readonly watches: OpenWatches;
  /** Is called when the cluster holds what it shall hold from the beginning, before the first request is answered. */
  readonly begun: () => void;
  /** Ends open watches and the controllers. */
  readonly closing: AbortSignal;
}

/** What answers requests, and the controllers beside it. */
export interface Server {
  readonly handler: Handler;
  /** The same for who runs the cluster: no fault strikes it, and nobody notes down what it asks. */
  readonly ownHandler: Handler;
  /** Resolves when the cluster holds what it shall hold from the beginning, and its controllers are idle. */
  readonly settle: () => Promise<void>;
  /** Whether it holds that. */
  readonly isReady: () => boolean;
}

/** Starts the controllers, and brings in the objects that the cluster holds from the beginning; requests wait for that. */
export function createServer(options: ServerOptions): Server {
  const { config, store, tokens, adminToken, log, faults, reachability, watches } = options;
  const { catalog, objects, featureGates: gates } = config;
  let serverClient: ClusterClient | undefined;
  const loopback: Loopback = () => {
    serverClient ??= new ClusterClient(handler, tokens.issue(apiserver), catalog, apiserverAgent);
    return serverClient;
  };
  const updateStatus: UpdateStatus = async (object) => loopback().update(object, { subresource: "status" });
  const settle = async () => controllers?.settle();
  const authorization = authorizations[config.authorizationMode];
  const kinds = new Kinds(builtInKinds);
  const registryOf = (view: Store<KubeObject>) =>
    new ResourceRegistry({ ...config, gates, store: view, authorization, updateStatus }, kinds);
  const registry = registryOf(store);
  const quotaMutex = new KeyedMutex();
  const access = { settle, updateQuotaStatus: updateStatus, quotaMutex };
  const pipeline = pipelineOf(options, registryOf, registry, kinds, access);
  const handler = createHandler(pipeline);
  const controllers = startControllers(options, registry, handler, quotaMutex, loopback, kinds);
  const changesFor = stateChanges(store, handler, () => tokens.issue(otherWriter));
  const watchFormat = (contentType: string) => watchFormatOf(contentType, catalog);
  const observer = new RequestObserver({
    log,
    faults,
    reachability,
    watches,
    clock: config.clock,
    watchFormat,
    changesFor,
  });
  if (controllers === undefined && objects.length === 0) {
    options.begun();
    return {
      handler: createHandler({ ...pipeline, observer }),
      ownHandler: handler,
      settle,
      isReady: () => true,
    };
  }
  const client = new ClusterClient(handler, adminToken, catalog);
  let isReady = false;
  const ready = settle()
    .then(() => client.load(objects))
    .then(() => {
      isReady = true;
      options.begun();
    });
  // Whoever asks first is told; nobody may ever ask.
  ready.catch(() => {});
  const complete: Pipeline = { ...pipeline, readiness: () => (isReady ? undefined : ready) };
  return {
    handler: createHandler({ ...complete, observer }),
    ownHandler: createHandler(complete),
    settle: () => ready.then(settle),
    isReady: () => isReady,
  };
}

/** How the server itself writes: what upstream calls its loopback. */
type Loopback = () => ClusterClient;

/** Writes the status of an object on the loopback. */
type UpdateStatus = (object: KubeObject) => Promise<KubeObject>;

function pipelineOf(
  { config, store, tokens, deliveries, closing }: ServerOptions,
  registryOf: (view: Store<KubeObject>) => ResourceRegistry,
  registry: ResourceRegistry,
  kinds: Kinds,
  admissionAccess: Pick<AdmissionEnvironment, "settle" | "updateQuotaStatus" | "quotaMutex">,
): Pipeline {
  const { catalog, clock, identifiers, advertiseAddress, featureGates: gates } = config;
  const scopes = new ResourceScopes(catalog, registry, kinds, gates);
  const authorize = authorizations[config.authorizationMode].authorizer(registry);
  const plugins = defaultPlugins({
    lister: registry,
    authorize,
    gates,
    suffix: identifiers.suffix,
    podTemplateOf: podTemplatesOf(kinds),
    quotaEvaluators: quotaEvaluatorsOf(kinds),
    ...admissionAccess,
  });
  const environment: EndpointEnvironment = {
    catalog,
    kinds,
    scopes,
    fieldManagers: new FieldManagers(catalog, scopes, clock),
    formats: formatsOf(gates),
    gates,
    authorize,
    admission: admissionChain(plugins),
    store,
    clock,
    advertiseAddress,
    startedAt: clock.now(),
    random: identifiers.fraction,
    metrics: new ServerMetrics(),
    deliveries,
    closing,
  };
  const views = new WeakMap<StateView, EndpointEnvironment>();
  return {
    environment,
    environmentOf: (view) => {
      const known = views.get(view);
      if (known !== undefined) return known;
      const made = {
        ...environment,
        store: ReplicaView.storeOf(view),
        scopes: new ResourceScopes(catalog, registryOf(ReplicaView.storeOf(view)), kinds, gates),
      };
      views.set(view, made);
      return made;
    },
    authenticate: anyOf([bearerToken(tokens.authenticate)]),
    authorize,
    flowSchemas: new FlowSchemas(registry, store),
    clock,
    newUid: identifiers.auditId,
    observer: undefined,
    readiness: () => undefined,
  };
}

/** The paths of pod templates. Upstream's PodSecurity does not look into workloads of the group extensions. */
function podTemplatesOf(kinds: Kinds): PodTemplateOf {
  return (gr) => {
    const definition = kinds.definitionOf(gr);
    return definition?.group === gr.group ? definition.podTemplate : undefined;
  };
}

function quotaEvaluatorsOf(kinds: Kinds): QuotaEvaluators {
  return {
    evaluatorOf: (gr) => kinds.definitionOf(gr)?.quota,
    resources: builtInKinds.filter(({ quota }) => quota?.usage !== undefined),
  };
}

/** Starts those that are wanted, until the cluster closes; undefined when there are none. */
function startControllers(
  { config, store, tokens, closing }: ServerOptions,
  lister: Lister,
  handler: Handler,
  quotaMutex: KeyedMutex,
  loopback: Loopback,
  kinds: Kinds,
): ControllerManager | undefined {
  const { catalog, clock, rootCa, serviceRanges, controllers: wanted } = config;
  if (wanted.length === 0 || closing.aborted) return undefined;
  const client = new ClusterClient(handler, tokens.issue(controllerManager), catalog, controllerManagerAgent);
  const objects = new StoredObjects(catalog, store);
  const environment: ControllerEnvironment = {
    lister,
    client,
    catalog,
    clock,
    rootCa,
    quotaMutex,
    quotaEvaluators: quotaEvaluatorsOf(kinds),
    serverClient: loopback(),
    serverObjects: () => serviceOfApi(catalog, serviceRanges),
    expireEvent: (namespace, name) => objects.remove(events, namespace, name),
  };
  const controllers = allControllers(environment).filter(({ name }) => isControllerEnabled(name, wanted));
  const manager = new ControllerManager({ store, clock, controllers });
  manager.start();
  closing.addEventListener("abort", () => manager.stop(), { once: true });
  return manager;
}
