import type { AdmissionChain } from "../../admission/admission-chain.ts";
import type { AdmissionMetrics } from "../../admission/contract/admission-metrics.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AuthenticationConfig } from "../../authentication/contract/authentication-config.ts";
import type { AuthenticationMetrics } from "../../authentication/contract/authentication-metrics.ts";
import type { ConfigurationReloads } from "../../authentication/contract/configuration-reloads.ts";
import type { AuthorizationMetrics } from "../../authorization/contract/authorization-metrics.ts";
import type { Authorizer } from "../../authorization/contract/authorizer.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { Formats } from "../../codec/media-types/formats.ts";
import type { ConversionMetrics } from "../../registry/contract/conversion-metrics.ts";
import type { ExpressionMetrics } from "../../registry/contract/expression-metrics.ts";
import type { RepeatedErrors } from "../../registry/contract/repeated-errors.ts";
import type { Kinds } from "../../registry/kinds.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { Interventions } from "../../scenario/interventions.ts";
import type { OpenApiDescriptions } from "../../served/openapi/openapi-descriptions.ts";
import type { ServedApi } from "../../served/served-api.ts";
import type { Store } from "../../store/store.ts";
import type { EndpointResponse } from "./endpoint-response.ts";
import type { FieldManagers } from "./field-managers.ts";
import type { FlowMetrics } from "./flow-metrics.ts";
import type { InFlightMetrics } from "./in-flight-metrics.ts";
import type { MetricsOptions } from "./metrics-options.ts";
import type { ResourceScopes } from "./resource-scopes.ts";
import type { ServerMetrics } from "./server-metrics.ts";
import type { WorkQueueMetrics } from "./work-queue-metrics.ts";

/** The environment that all endpoints of a server share. */
export interface EndpointEnvironment {
  readonly catalog: Catalog;
  readonly served: ServedApi;
  /** The servers behind APIServices. */
  readonly aggregation: Aggregation;
  /** The descriptions in OpenAPI documents; undefined for none. */
  readonly openapiDescriptions: OpenApiDescriptions | undefined;
  readonly kinds: Kinds;
  readonly scopes: ResourceScopes;
  readonly admission: AdmissionChain;
  /** Checks permissions beyond the verb of the request. */
  readonly authorize: Authorizer;
  readonly fieldManagers: FieldManagers;
  readonly formats: Formats;
  readonly gates: FeatureGates;
  /** The issuer of service account tokens and its keys. */
  readonly authentication: AuthenticationConfig;
  readonly store: Store<KubeObject>;
  readonly clock: Clock;
  /** The `host:port` that `/api` advertises to clients. */
  readonly advertiseAddress: () => string;
  /** The start time of the server, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** `--livez-grace-period`: how long after the start hooks may fail without an effect on `/livez`, in milliseconds. */
  readonly livezGraceMilliseconds: number;
  readonly debugging: Debugging;
  /** A random number from 0 to 1, for the duration of watches without a timeout. */
  readonly random: () => number;
  readonly metrics: ServerMetrics;
  readonly authenticationMetrics: AuthenticationMetrics;
  /** The reloads of the configuration of authentication; undefined if it has no text. */
  readonly configurationReloads: () => ConfigurationReloads | undefined;
  readonly authorizationMetrics: AuthorizationMetrics;
  readonly admissionMetrics: AdmissionMetrics;
  readonly conversionMetrics: ConversionMetrics;
  readonly expressionMetrics: ExpressionMetrics;
  readonly repeatedErrors: RepeatedErrors;
  readonly workQueueMetrics: WorkQueueMetrics;
  readonly inFlight: InFlightMetrics;
  readonly flows: FlowMetrics;
  readonly metricsOptions: MetricsOptions;
  /** What tests change in the responses. */
  readonly interventions: Interventions;
  /** Aborts when the cluster is closed. */
  readonly closing: AbortSignal;
}

/** What clients may see of the server itself. */
export interface Debugging {
  /** Whether `/debug/pprof/` and `/debug/flags` are served, and metrics can be reset. */
  readonly profiling: boolean;
  /** Whether `/logs` is served. */
  readonly logsHandler: boolean;
  /** The values of the flags, by name. */
  readonly flags: () => ReadonlyMap<string, string>;
}

/** Answers the requests that other servers take part in. Upstream: kube-aggregator. */
export interface Aggregator {
  /** The answer; undefined for a request that concerns this server alone. */
  readonly answer: (
    context: RequestContext,
    environment: EndpointEnvironment,
  ) => Promise<EndpointResponse> | undefined;
  /** How often each APIService has become unavailable, by its labels. */
  readonly unavailable: ReadonlyMap<string, number>;
}

/** Whether other servers take part in the API. */
export interface Aggregation {
  /** Undefined as long as all APIServices are those that the server registers itself. */
  readonly aggregator: Aggregator | undefined;
}
