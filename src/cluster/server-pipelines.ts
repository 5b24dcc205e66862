import { AdmissionMetrics } from "../admission/contract/admission-metrics.ts";
import type { KeyedMutex } from "../admission/quota/keyed-mutex.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { AuthenticationChain } from "../authentication/authentication-methods.ts";
import { withoutProxyHeaders } from "../authentication/request-header/consumed-headers.ts";
import type { AuthorizationMetrics } from "../authorization/contract/authorization-metrics.ts";
import { formatsOf } from "../codec/media-types/formats.ts";
import type { ControllerManager } from "../controllers/controller-manager.ts";
import type { EndpointEnvironment } from "../endpoints/contract/environment.ts";
import { ServerMetrics } from "../endpoints/contract/server-metrics.ts";
import type { WorkQueueMetrics } from "../endpoints/contract/work-queue-metrics.ts";
import { WatchDeliveries } from "../scenario/watch-deliveries.ts";
import { OpenApiDescriptions } from "../served/openapi/openapi-descriptions.ts";
import type { Store } from "../store/store.ts";
import { silentTargets } from "../webhooks/outgoing-targets.ts";
import { admissionOf } from "./admission-for.ts";
import { anonymousRule } from "./authentication-for.ts";
import { changedEnvironments } from "./changed-environments.ts";
import type { ClusterClient } from "./client.ts";
import { crossOrigin } from "./cross-origin.ts";
import { debuggingFor } from "./debugging-for.ts";
import { FlowSchemas } from "./flow-schemas.ts";
import { RequestsInFlight } from "./requests-in-flight.ts";
import type { Pipeline } from "./serve.ts";
import { type RegistryAccess, type ServedState, servedApi, servedState } from "./served-state.ts";
import type { ServerOptions } from "./server-options.ts";

/** What the registry, the admission plugins and the controllers have of the server. */
export interface ServerAccess extends RegistryAccess {
  readonly authorizationMetrics: AuthorizationMetrics;
  /** The server's own client; upstream's loopback. */
  readonly serverClient: ClusterClient;
  /** Serializes writes in a namespace that has quotas. */
  readonly quotaMutex: KeyedMutex;
  readonly workQueueMetrics: WorkQueueMetrics;
}

/** A pipeline, but for what differs between its clients. */
export type PipelineParts = Omit<Pipeline, "observer" | "readiness">;

/** The pipeline of clients: an update that creates needs a permission that tests can have revoked. */
export function ofClients(parts: PipelineParts, { registry }: ServedState): PipelineParts {
  const { authorize } = registry.clientAuthorization;
  return { ...parts, environment: { ...parts.environment, authorize } };
}

/** The pipeline of the cluster's own methods: tests do not hold back the events of its watches. */
export function unhindered(parts: PipelineParts): PipelineParts {
  const { health } = parts.environment.interventions;
  const interventions = { watches: new WatchDeliveries(), deleteReturns: undefined, health };
  return { ...parts, environment: { ...parts.environment, interventions } };
}

interface PipelineExtras extends Pick<EndpointEnvironment, "aggregation"> {
  readonly chain: AuthenticationChain;
}

/** What the parts of the server count themselves. */
function metricsOf({ metrics, reloads }: AuthenticationChain, access: ServerAccess) {
  const { authorizationMetrics, conversionMetrics, expressionMetrics, repeatedErrors, workQueueMetrics } =
    access;
  return {
    authenticationMetrics: metrics,
    configurationReloads: reloads,
    authorizationMetrics,
    conversionMetrics,
    expressionMetrics,
    repeatedErrors,
    workQueueMetrics,
  };
}

export function pipelineOf(
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
  const inFlight = new RequestsInFlight(config);
  const flowSchemas = new FlowSchemas(registry, state.store);
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
    debugging: debuggingFor(config),
    random: identifiers.fraction,
    metrics: new ServerMetrics(gates.since),
    ...metricsOf(chain, access),
    admissionMetrics,
    inFlight,
    flows: flowSchemas.flows,
    metricsOptions: config.metrics,
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
    inFlight,
    authorize,
    flowSchemas,
    clock,
    newUid: identifiers.auditId,
  };
}
