import { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
import { clusterAdmin, type UserInfo } from "../apimachinery/user-info.ts";
import type { AuthenticationChain } from "../authentication/authentication-methods.ts";
import { noOpinion, rejected } from "../authentication/contract/authenticator.ts";
import { AuthorizationMetrics } from "../authorization/contract/authorization-metrics.ts";
import { revocable } from "../authorization/revocable.ts";
import type { ControllerManager } from "../controllers/controller-manager.ts";
import { WorkQueueMetrics } from "../endpoints/contract/work-queue-metrics.ts";
import { ConversionMetrics } from "../registry/contract/conversion-metrics.ts";
import { ExpressionMetrics } from "../registry/contract/expression-metrics.ts";
import type { KindDefinition } from "../registry/contract/kind-definition.ts";
import { RepeatedErrors } from "../registry/contract/repeated-errors.ts";
import type { ResourceRegistry } from "../registry/resource-registry.ts";
import { StoredObjects } from "../registry/stored-objects.ts";
import type { Handler } from "../request/handler.ts";
import type { ServedApi } from "../served/served-api.ts";
import { apiServicesOf } from "./api-services.ts";
import { chainOf } from "./authentication-for.ts";
import { authorizationFor } from "./authorization-for.ts";
import { ClusterClient, type ResourceFinder } from "./client.ts";
import { controllersFor } from "./controllers-for.ts";
import { conversionWebhooks } from "./conversion-webhooks.ts";
import { definitionControllers } from "./definition-controllers.ts";
import { Loopback } from "./loopback.ts";
import { type LoggedHandlerOptions, loggedHandlers, observerOf } from "./observed-handlers.ts";
import { podConnectionsOf } from "./pod-connections.ts";
import { resourceFinder, whenKnown } from "./resource-finder.ts";
import { type Loader, loader } from "./seeding/loader.ts";
import { createHandler } from "./serve.ts";
import { type RegistryAccess, type ServedState, servedApi, servedState } from "./served-state.ts";
import { leave } from "./server-identity.ts";
import type { ServerOptions } from "./server-options.ts";
import { ofClients, pipelineOf, type ServerAccess, unhindered } from "./server-pipelines.ts";
import { afterStart, publicationOf, startUp } from "./server-start.ts";

const apiserver: UserInfo = { name: "system:apiserver", uid: "", groups: ["system:masters"], extra: {} };
const apiserverAgent = "kube-apiserver";

/** Answers requests and runs controllers. */
export interface Server {
  readonly handler: Handler;
  /** The handler of the cluster's own methods: faults do not strike its requests, and the log omits them. */
  readonly ownHandler: Handler;
  /** Resolves when the cluster holds its initial objects and its controllers are idle. */
  readonly settle: () => Promise<void>;
  /** Resolves when the cluster holds its initial objects. */
  readonly ready: () => Promise<void> | undefined;
  /** Leaves the other servers of the cluster. */
  readonly leave: () => void;
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
    workQueueMetrics: new WorkQueueMetrics(config.clock),
    ...conversions(options, () => state.registry),
    podConnections: podConnectionsOf(options, () => state.registry),
  };
  const state = servedState(store, served, config, access);
  const controllers = controllersFor(options, state, loopback, access);
  const aggregation = apiServicesOf(options, state, access);
  chain = chainOf(options, state.registry, serverClient);
  const parts = pipelineOf(options, state, controllers, access, { chain, aggregation });
  const handler = createHandler({ ...parts, observer: undefined, readiness: () => undefined });
  loopback.serve(handler);
  const settleDefinitions = definitionControllers(options, state, access);
  const { load, loadInitial } = loaderOf(options, state, settleDefinitions);
  const ready = startUp(options, { served, serverClient }, controllers, loadInitial, authorization.load);
  const publication = publicationOf(options, controllers);
  const started = () => afterStart(start.isOver ? publication() : ready, served, aggregation);
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
    leave: () => leave(config, new StoredObjects(served, store)),
    served,
    registry: state.registry,
    resourceOf: whenKnown(resourceOf, missing),
    loggedHandler: loggedHandlers(options, unhindered(parts), handler, readiness),
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

/** How webhooks convert, and what counts that and the rules of custom resources. */
function conversions(
  options: ServerOptions,
  lister: Parameters<typeof conversionWebhooks>[1],
): Pick<
  RegistryAccess,
  "callConversionWebhook" | "conversionMetrics" | "expressionMetrics" | "repeatedErrors"
> {
  return {
    callConversionWebhook: conversionWebhooks(options, lister),
    conversionMetrics: new ConversionMetrics(),
    expressionMetrics: new ExpressionMetrics(options.config.clock),
    repeatedErrors: new RepeatedErrors(),
  };
}
