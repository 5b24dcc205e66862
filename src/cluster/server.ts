import { admissionChain } from "../admission/admission-chain.ts";
import { type AdmissionEnvironment, defaultPlugins } from "../admission/default-plugins.ts";
import type { PodTemplateOf } from "../admission/plugins/pod-security.ts";
import { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
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
import { ServerMetrics } from "../endpoints/contract/server-metrics.ts";
import type { WatchDeliveries } from "../endpoints/contract/watch-deliveries.ts";
import { builtInKinds } from "../kinds/kinds.ts";
import type { KindDefinition } from "../registry/contract/kind-definition.ts";
import type { QuotaEvaluators } from "../registry/contract/quota-evaluator.ts";
import type { Kinds } from "../registry/kinds.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import type { Handler } from "../request/handler.ts";
import type { ReachabilityControl } from "../request/reachability.ts";
import type { Faults } from "../scenario/faults.ts";
import type { OpenWatches } from "../scenario/open-watches.ts";
import type { RequestLog } from "../scenario/request-log.ts";
import type { StateView } from "../scenario/state-view.ts";
import { watchFormatOf } from "../scenario/watch-format.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Store } from "../store/store.ts";
import { serviceOfApi } from "./bootstrap.ts";
import { ClusterClient, type ResourceFinder } from "./client.ts";
import { FlowSchemas } from "./flow-schemas.ts";
import type { AuthorizationMode, Config } from "./options.ts";
import { ReplicaView } from "./replica-view.ts";
import { RequestObserver } from "./request-observer.ts";
import { createHandler, type Pipeline } from "./serve.ts";
import { parentResource, servedResource } from "./served-resource.ts";
import { type ServedState, servedState } from "./served-state.ts";
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

/** The parts of a server. */
export interface ServerOptions {
  readonly config: Config;
  /** Holds the objects that a new server creates. */
  readonly store: Store<KubeObject>;
  readonly tokens: StaticTokens;
  /** The token that loads the cluster's initial objects. */
  readonly adminToken: string;
  /** Records the requests of clients. */
  readonly log: RequestLog;
  /** The injected faults. */
  readonly faults: Faults;
  /** Orders the events of their watches. */
  readonly deliveries: WatchDeliveries;
  /** Whether clients can reach the server. */
  readonly reachability: ReachabilityControl;
  /** The open watches of clients. */
  readonly watches: OpenWatches;
  /** Called once the cluster holds its initial objects, before the first request is answered. */
  readonly begun: () => void;
  /** Ends open watches and the controllers. */
  readonly closing: AbortSignal;
}

/** Answers requests and runs controllers. */
export interface Server {
  readonly handler: Handler;
  /** The handler of the cluster's own methods: faults do not strike its requests, and the log omits them. */
  readonly ownHandler: Handler;
  /** Resolves when the cluster holds its initial objects and its controllers are idle. */
  readonly settle: () => Promise<void>;
  /** Whether it holds its initial objects. */
  readonly isReady: () => boolean;
  readonly served: ServedApi<KindDefinition>;
  /** Finds resources among those that are served once the cluster is ready. */
  readonly resourceOf: ResourceFinder;
}

/** Starts the controllers and loads the cluster's initial objects; requests wait for both. */
export function createServer(options: ServerOptions): Server {
  const { config, store, tokens, adminToken } = options;
  const { objects } = config;
  let serverClient: ClusterClient | undefined;
  const loopback: Loopback = () => {
    serverClient ??= new ClusterClient(handler, tokens.issue(apiserver), resourceOf, apiserverAgent);
    return serverClient;
  };
  const updateStatus: UpdateStatus = async (object) => loopback().update(object, { subresource: "status" });
  const settle = async () => controllers?.settle();
  const authorization = authorizations[config.authorizationMode];
  const stateOf = (view: Store<KubeObject>) => servedState(view, config, { authorization, updateStatus });
  const state = stateOf(store);
  const { served } = state;
  const resourceOf = resourceFinder(served);
  const quotaMutex = new KeyedMutex();
  const access = { settle, updateQuotaStatus: updateStatus, quotaMutex };
  const pipeline = pipelineOf(options, stateOf, state, access);
  const handler = createHandler(pipeline);
  const controllers = startControllers(options, state, handler, quotaMutex, loopback);
  const observer = observerOf(options, handler);
  if (controllers === undefined && objects.length === 0) {
    options.begun();
    return {
      handler: createHandler({ ...pipeline, observer }),
      ownHandler: handler,
      settle,
      isReady: () => true,
      served,
      resourceOf,
    };
  }
  const client = new ClusterClient(handler, adminToken, resourceOf);
  let isReady = false;
  const ready = settle()
    .then(() => client.load(objects))
    .then(() => {
      isReady = true;
      options.begun();
    });
  // The first request reports a failure. Without a handler here, Node would end the process if no request ever comes.
  const settled = ready.catch(() => {});
  const complete: Pipeline = { ...pipeline, readiness: () => (isReady ? undefined : ready) };
  return {
    handler: createHandler({ ...complete, observer }),
    ownHandler: createHandler(complete),
    settle: () => ready.then(settle),
    isReady: () => isReady,
    served,
    resourceOf: (...kind) => (isReady ? resourceOf(...kind) : settled.then(() => resourceOf(...kind))),
  };
}

function observerOf(
  { config, store, tokens, log, faults, reachability, watches }: ServerOptions,
  handler: Handler,
): RequestObserver {
  const { catalog, clock } = config;
  return new RequestObserver({
    log,
    faults,
    reachability,
    watches,
    clock,
    watchFormat: (contentType) => watchFormatOf(contentType, catalog),
    changesFor: stateChanges(store, handler, () => tokens.issue(otherWriter)),
  });
}

/** Finds resources among those that are served at the time of the call. */
function resourceFinder(served: ServedApi): ResourceFinder {
  return (apiVersion, kind, subresource) =>
    subresource === undefined
      ? servedResource(served.current, apiVersion, kind)
      : parentResource(served.current, apiVersion, kind, subresource);
}

/** The server's own client; upstream's loopback. */
type Loopback = () => ClusterClient;

/** Writes the status of an object through the loopback. */
type UpdateStatus = (object: KubeObject) => Promise<KubeObject>;

function pipelineOf(
  { config, tokens, deliveries, closing }: ServerOptions,
  stateOf: (view: Store<KubeObject>) => ServedState,
  state: ServedState,
  admissionAccess: Pick<AdmissionEnvironment, "settle" | "updateQuotaStatus" | "quotaMutex">,
): Pipeline {
  const { catalog, clock, identifiers, advertiseAddress, anonymousAuth, featureGates: gates } = config;
  const { registry, ...parts } = state;
  const authorize = authorizations[config.authorizationMode].authorizer(registry);
  const plugins = defaultPlugins({
    lister: registry,
    authorize,
    gates,
    suffix: identifiers.suffix,
    podTemplateOf: podTemplatesOf(state.kinds),
    quotaEvaluators: quotaEvaluatorsOf(state.kinds),
    ...admissionAccess,
  });
  const environment: EndpointEnvironment = {
    ...parts,
    catalog,
    formats: formatsOf(gates),
    gates,
    authorize,
    admission: admissionChain(plugins),
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
      const { registry: _, ...viewed } = stateOf(ReplicaView.storeOf(view));
      const made = { ...environment, ...viewed };
      views.set(view, made);
      return made;
    },
    authenticate: anyOf([bearerToken(tokens.authenticate)]),
    anonymousAuth,
    authorize,
    flowSchemas: new FlowSchemas(registry, state.store),
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

/** Starts the controllers that the configuration names, until the cluster closes; undefined when there are none. */
function startControllers(
  { config, store, tokens, closing }: ServerOptions,
  { registry, served, kinds }: ServedState,
  handler: Handler,
  quotaMutex: KeyedMutex,
  loopback: Loopback,
): ControllerManager | undefined {
  const { catalog, clock, rootCa, serviceRanges, controllers: wanted } = config;
  if (wanted.length === 0 || closing.aborted) return undefined;
  const client = new ClusterClient(
    handler,
    tokens.issue(controllerManager),
    resourceFinder(served),
    controllerManagerAgent,
  );
  const objects = new StoredObjects(served, store);
  const environment: ControllerEnvironment = {
    lister: registry,
    client,
    served,
    clock,
    rootCa,
    quotaMutex,
    quotaEvaluators: quotaEvaluatorsOf(kinds),
    serverClient: loopback(),
    serverObjects: () => serviceOfApi(catalog, serviceRanges),
    expireEvent: (namespace, name) => objects.remove(events, namespace, name),
  };
  const controllers = allControllers(environment).filter(({ name }) => isControllerEnabled(name, wanted));
  const manager = new ControllerManager({ store, clock, controllers, served });
  manager.start();
  closing.addEventListener("abort", () => manager.stop(), { once: true });
  return manager;
}
