import type { AdmissionChain, ChainMeasures } from "../admission/admission-chain.ts";
import { AdmissionMetrics } from "../admission/contract/admission-metrics.ts";
import { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import { clusterAdmin, type UserInfo } from "../apimachinery/user-info.ts";
import type { AuthenticationChain } from "../authentication/authentication-methods.ts";
import { noOpinion, rejected } from "../authentication/contract/authenticator.ts";
import { ExpiredCredentials } from "../authentication/expired-credentials.ts";
import { withoutProxyHeaders } from "../authentication/request-header/consumed-headers.ts";
import type { StaticTokens } from "../authentication/static-token.ts";
import { AuthorizationMetrics } from "../authorization/contract/authorization-metrics.ts";
import { revocable } from "../authorization/revocable.ts";
import { formatsOf } from "../codec/media-types/formats.ts";
import type { ControllerManager, ControllerProgress } from "../controllers/controller-manager.ts";
import type { EndpointEnvironment } from "../endpoints/contract/environment.ts";
import { ServerMetrics } from "../endpoints/contract/server-metrics.ts";
import type { KindDefinition } from "../registry/contract/kind-definition.ts";
import type { ResourceRegistry } from "../registry/resource-registry.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import type { Handler } from "../request/handler.ts";
import { ReachabilityControl } from "../request/reachability.ts";
import type { EstablishmentHolds } from "../scenario/establishment-holds.ts";
import type { Faults } from "../scenario/faults.ts";
import type { HealthControl } from "../scenario/health-control.ts";
import { OpenWatches } from "../scenario/open-watches.ts";
import type { RequestLog } from "../scenario/request-log.ts";
import { WatchDeliveries } from "../scenario/watch-deliveries.ts";
import { watchFormatOf } from "../scenario/watch-format.ts";
import { OpenApiDescriptions } from "../served/openapi/openapi-descriptions.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Store } from "../store/store.ts";
import { type OutgoingTargets, silentTargets } from "../webhooks/outgoing-targets.ts";
import { admissionOf } from "./admission-for.ts";
import type { ApiServerOutages } from "./api-server-outages.ts";
import { apiServicesOf } from "./api-services.ts";
import { anonymousRule, chainOf } from "./authentication-for.ts";
import { authorizationFor } from "./authorization-for.ts";
import { seeds } from "./bootstrap.ts";
import { changedEnvironments } from "./changed-environments.ts";
import { ClusterClient, type ResourceFinder } from "./client.ts";
import type { ClusterStart } from "./cluster-start.ts";
import { controllersFor } from "./controllers-for.ts";
import { conversionWebhooks } from "./conversion-webhooks.ts";
import { crossOrigin } from "./cross-origin.ts";
import { definitionControllers } from "./definition-controllers.ts";
import { FlowSchemas } from "./flow-schemas.ts";
import { Loopback } from "./loopback.ts";
import type { Config } from "./options.ts";
import type { PublishedServer } from "./published-server.ts";
import { RequestObserver } from "./request-observer.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";
import { resourceFinder, whenKnown } from "./resource-finder.ts";
import { type Loader, loader } from "./seeding/loader.ts";
import { createHandler, type Pipeline } from "./serve.ts";
import { type RegistryAccess, type ServedState, servedApi, servedState } from "./served-state.ts";
import { namesUrls } from "./service-account-issuers.ts";
import { otherWriter, stateChanges } from "./state-changes.ts";
import { callsWebhooks, checkWebhooks } from "./webhook-checks.ts";

const apiserver: UserInfo = { name: "system:apiserver", uid: "", groups: ["system:masters"], extra: {} };
const apiserverAgent = "kube-apiserver";

/** The parts of a server. */
export interface ServerOptions {
  readonly config: Config;
  /** Holds the objects that a new server creates. */
  readonly store: Store<KubeObject>;
  readonly tokens: StaticTokens;
  /** The credentials that tests have made expire. */
  readonly expired: ExpiredCredentials;
  /** Records the requests of clients. */
  readonly log: RequestLog;
  /** The injected faults. */
  readonly faults: Faults;
  /** Orders the events of their watches. */
  readonly deliveries: WatchDeliveries;
  /** The checks that fail. */
  readonly health: HealthControl;
  /** The servers behind APIServices that are down. */
  readonly outages: ApiServerOutages;
  /** The definitions that tests keep from being established. */
  readonly establishment: EstablishmentHolds;
  /** Whether clients can reach the server. */
  readonly reachability: ReachabilityControl;
  /** The open watches of clients. */
  readonly watches: OpenWatches;
  /** What answers for servers that objects name. */
  readonly targets: OutgoingTargets;
  /** How the cluster describes this server to clients. */
  readonly published: PublishedServer;
  /** Ends once the store holds the initial objects too. */
  readonly start: ClusterStart;
  /** How far controllers have come with this state; undefined if they start with it. */
  readonly controllers: ControllerProgress | undefined;
  /** Ends open watches and the controllers. */
  readonly closing: AbortSignal;
  /** Whether the store is new, or has the objects of a server of another release. */
  readonly origin: "new" | "stored";
}

/** Answers requests and runs controllers. */
export interface Server {
  readonly handler: Handler;
  /** The handler of the cluster's own methods: faults do not strike its requests, and the log omits them. */
  readonly ownHandler: Handler;
  /** Resolves when the cluster holds its initial objects and its controllers are idle. */
  readonly settle: () => Promise<void>;
  /** Resolves when the cluster holds its initial objects. */
  readonly ready: () => Promise<void> | undefined;
  /** Loads objects once the cluster holds its initial ones. */
  readonly load: Loader["load"];
  readonly controllers: Pick<ControllerManager, "progress" | "restore">;
  readonly served: ServedApi<KindDefinition>;
  readonly registry: ResourceRegistry;
  /** Finds resources among those that are served once the cluster is ready. */
  readonly resourceOf: ResourceFinder;
  /**
   * A handler that records requests in a log of its own, with another chain of admission. What tests inject does not affect it.
   */
  readonly loggedHandler: (options: LoggedHandlerOptions) => Handler;
}

/** How requests that are recorded for themselves differ from others. */
interface LoggedHandlerOptions {
  readonly log: RequestLog;
  /** Whoever sends a request, it is this user. */
  readonly user: UserInfo;
  readonly chainOf: (usual: AdmissionChain, measures: ChainMeasures) => AdmissionChain;
}

/** Starts the controllers and loads the cluster's initial objects; requests wait for both. */
export function createServer(options: ServerOptions): Server {
  const { config, store, start } = options;
  const served = servedApi(store, config);
  const resourceOf = resourceFinder(served);
  const loopback = new Loopback();
  const serverClient = apiserverClient(options, loopback, resourceOf);
  const authorizationMetrics = new AuthorizationMetrics();
  const authorization = authorizationFor(config, authorizationMetrics);
  let chain: AuthenticationChain | undefined;
  const access: ServerAccess = {
    authorizationOf: authorization.authorizationOf,
    authorizationMetrics,
    revocable: (authorization) =>
      revocable(authorization, (attributes) => options.faults.revokes(attributes)),
    // Reviews come later, so the chain, which reads the state, exists.
    authenticateToken: (token, audiences) =>
      options.expired.hasToken(token)
        ? rejected("[invalid bearer token, token has expired]")
        : (chain?.authenticateToken(token, audiences) ?? noOpinion),
    serverClient,
    updateStatus: (object) => serverClient.update(object, { subresource: "status" }),
    quotaMutex: new KeyedMutex(),
    callConversionWebhook: conversionWebhooks(options, () => state.registry),
  };
  const state = servedState(store, served, config, access);
  const controllers = controllersFor(options, state, loopback, access);
  const aggregation = apiServicesOf(options, state, serverClient);
  chain = chainOf(options, state.registry, serverClient);
  const parts = pipelineOf(options, state, controllers, access, { chain, aggregation });
  const handler = createHandler({ ...parts, observer: undefined, readiness: () => undefined });
  loopback.serve(handler);
  const settleDefinitions = definitionControllers(options, state, serverClient);
  const { load, loadInitial } = loaderOf(options, state, settleDefinitions);
  const ready = startUp(options, { served, serverClient }, controllers, loadInitial, authorization.load);
  const publication = publicationOf(options, controllers);
  const started = () => (start.isOver ? (publication() ?? served.loading ?? aggregation.loading) : ready);
  const { ready: configured } = chain;
  const readiness = () => configured()?.then(started) ?? started();
  // The first request reports the failure. Without a handler here, Node would end the process if no request ever comes.
  const settled = ready.catch(() => {});
  const missing = () => (start.isOver ? served.loading : settled.then(() => served.loading));
  return {
    handler: createHandler({ ...ofClients(parts, state), observer: observerOf(options, handler), readiness }),
    ownHandler: createHandler({ ...unhindered(parts), observer: undefined, readiness }),
    settle: () => inTurn({ settle: readiness }, { settle: settleDefinitions }, controllers, aggregation),
    ready: readiness,
    load: async (...entries) => {
      await readiness();
      await load(...entries);
    },
    controllers,
    served,
    registry: state.registry,
    resourceOf: whenKnown(resourceOf, missing),
    loggedHandler: loggedHandlers(options, unhindered(parts), handler, readiness),
  };
}

function loggedHandlers(
  options: ServerOptions,
  parts: PipelineParts,
  handler: Handler,
  readiness: Pipeline["readiness"],
): Server["loggedHandler"] {
  const { environment } = parts;
  const { admission, admissionMetrics: metrics, clock } = environment;
  return ({ log, user, chainOf }) =>
    createHandler({
      ...parts,
      environment: { ...environment, admission: chainOf(admission, { clock, metrics }) },
      authenticate: () => ({ type: "authenticated", user }),
      observer: observerOf(unaffected(options, log), handler),
      readiness,
    });
}

/** The options with a log of its own, and without what tests inject. */
function unaffected(options: ServerOptions, log: RequestLog): ServerOptions {
  return {
    ...options,
    log,
    faults: options.faults.none(log),
    reachability: new ReachabilityControl(),
    expired: new ExpiredCredentials(),
    watches: new OpenWatches(),
  };
}

async function inTurn(...steps: readonly { settle(): Promise<void> | undefined }[]): Promise<void> {
  for (const step of steps) await step.settle();
}

function loaderOf(
  { config, establishment }: Pick<ServerOptions, "config" | "establishment">,
  state: ServedState,
  settleDefinitions: () => Promise<void>,
): Loader {
  return loader({
    ...config,
    ...state,
    lister: state.registry,
    settleDefinitions,
    isEstablishmentHeld: (group) => establishment.isHeld(group),
    user: clusterAdmin,
  });
}

/** The client of the API server itself. */
function apiserverClient({ tokens }: ServerOptions, loopback: Loopback, find: ResourceFinder): ClusterClient {
  return new ClusterClient(loopback.handler, tokens.issue(apiserver), find, apiserverAgent);
}

/** Starts the controllers, if any, and loads the initial objects. Resolves when the start is over. */
async function startUp(
  { config, store, start, controllers: progress, closing, published, origin }: ServerOptions,
  { served, serverClient }: { readonly served: ServedApi; readonly serverClient: ClusterClient },
  controllers: ControllerManager,
  loadInitial: Loader["loadInitial"],
  loadAuthorizers: () => Promise<void>,
): Promise<void> {
  const { controllers: wanted, objects } = config;
  const { serviceAccounts } = config.authentication;
  if (namesUrls(serviceAccounts)) (await import("./issuer-urls.ts")).checkIssuerUrls(serviceAccounts);
  if (callsWebhooks(config)) await checkWebhooks(config, loadAuthorizers);
  if (origin === "stored") {
    const { takeOver } = await import("./take-over.ts");
    await takeOver(new StoredObjects(served, store), { ...config, published }, serverClient);
  }
  if (wanted.length > 0 && !closing.aborted) {
    controllers.start(progress);
    closing.addEventListener("abort", () => controllers.stop(), { once: true });
    await controllers.settle();
  }
  if (objects.length > 0) {
    await loadInitial(objects, config);
    const { reconcilePolicy } = await import("./reconciled-policy.ts");
    await reconcilePolicy(seeds(config), new StoredObjects(served, store), serverClient);
  }
  start.end();
}

/**
 * Lets the controllers publish another address or authority. The result is what requests wait for, so that a client that
 * has found the port also finds it in the cluster.
 */
function publicationOf(
  { published, closing }: ServerOptions,
  controllers: ControllerManager,
): () => Promise<void> | undefined {
  let publication: Promise<void> | undefined;
  const stop = published.onChange(() => {
    controllers.observePublication();
    const settled = controllers.settle().then(() => {
      if (publication === settled) publication = undefined;
    });
    publication = settled;
  });
  closing.addEventListener("abort", stop, { once: true });
  return () => publication;
}

/** What the registry, the admission plugins and the controllers have of the server. */
interface ServerAccess extends RegistryAccess {
  readonly authorizationMetrics: AuthorizationMetrics;
  /** The server's own client; upstream's loopback. */
  readonly serverClient: ClusterClient;
  /** Serializes writes in a namespace that has quotas. */
  readonly quotaMutex: KeyedMutex;
}

function observerOf(
  { config, store, tokens, expired, log, faults, reachability, watches }: ServerOptions,
  handler: Handler,
): RequestObserver {
  const { catalog, clock } = config;
  return new RequestObserver({
    log,
    faults,
    reachability,
    expired,
    watches,
    clock,
    watchFormat: (contentType) => watchFormatOf(contentType, catalog),
    changesFor: stateChanges(store, handler, () => tokens.issue(otherWriter)),
  });
}

/** A pipeline, but for what differs between its clients. */
type PipelineParts = Omit<Pipeline, "observer" | "readiness">;

/** The pipeline of clients: an update that creates needs a permission that tests can have revoked. */
function ofClients(parts: PipelineParts, { registry }: ServedState): PipelineParts {
  const { authorize } = registry.clientAuthorization;
  return { ...parts, environment: { ...parts.environment, authorize } };
}

/** The pipeline of the cluster's own methods: tests do not hold back the events of its watches. */
function unhindered(parts: PipelineParts): PipelineParts {
  const { health } = parts.environment.interventions;
  const interventions = { watches: new WatchDeliveries(), deleteReturns: undefined, health };
  return { ...parts, environment: { ...parts.environment, interventions } };
}

interface PipelineExtras extends Pick<EndpointEnvironment, "aggregation"> {
  readonly chain: AuthenticationChain;
}

function pipelineOf(
  { config, deliveries, health, published, targets, closing }: ServerOptions,
  state: ServedState,
  controllers: ControllerManager,
  access: ServerAccess,
  { chain, aggregation }: PipelineExtras,
): PipelineParts {
  const { catalog, clock, identifiers, anonymousAuth, openapiDescriptions, featureGates: gates } = config;
  const admissionMetrics = new AdmissionMetrics(clock);
  const { registry, ...parts } = state;
  const { authorize } = registry.authorization;
  const { requestHeader: proxy } = config.authentication;
  const admissionWith = admissionOf(config, state, controllers, access, admissionMetrics);
  const environment: EndpointEnvironment = {
    ...parts,
    aggregation,
    catalog,
    openapiDescriptions: openapiDescriptions && new OpenApiDescriptions(openapiDescriptions),
    formats: formatsOf(gates),
    gates,
    authentication: config.authentication,
    authorize,
    admission: admissionWith(targets),
    clock,
    advertiseAddress: () => published.advertiseAddress,
    startedAt: clock.now(),
    random: identifiers.fraction,
    metrics: new ServerMetrics(),
    authenticationMetrics: chain.metrics,
    configurationReloads: chain.reloads,
    authorizationMetrics: access.authorizationMetrics,
    admissionMetrics,
    interventions: { watches: deliveries, deleteReturns: undefined, health },
    livezGraceMilliseconds: config.livezGraceMilliseconds,
    closing,
  };
  const stateOf = (view: Store<KubeObject>) => servedState(view, servedApi(view, config), config, access);
  return {
    environment,
    environmentWith: changedEnvironments(environment, stateOf, {
      lister: registry,
      silenced: (name, called) => admissionWith(silentTargets(targets, name, called)),
    }),
    authenticate: chain.authenticate,
    isAnonymous: anonymousRule(anonymousAuth, chain),
    authenticatedRequest: proxy && withoutProxyHeaders(proxy),
    crossOrigin: crossOrigin(config.corsAllowedOrigins),
    inFlight: new RequestsInFlight(config),
    authorize,
    flowSchemas: new FlowSchemas(registry, state.store),
    clock,
    newUid: identifiers.auditId,
  };
}
