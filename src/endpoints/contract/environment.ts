import type { AdmissionChain } from "../../admission/admission-chain.ts";
import type { Clock } from "../../apimachinery/clock.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Authorizer } from "../../authorization/authorizer.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { Formats } from "../../codec/media-types/formats.ts";
import type { Kinds } from "../../registry/kinds.ts";
import type { ServedApi } from "../../served/served-api.ts";
import type { Store } from "../../store/store.ts";
import type { FieldManagers } from "./field-managers.ts";
import type { ResourceScopes } from "./resource-scopes.ts";
import type { ServerMetrics } from "./server-metrics.ts";
import type { WatchDeliveries } from "./watch-deliveries.ts";

/** What the endpoints of one server share. */
export interface EndpointEnvironment {
  readonly catalog: Catalog;
  readonly served: ServedApi;
  readonly kinds: Kinds;
  readonly scopes: ResourceScopes;
  readonly admission: AdmissionChain;
  /** For what a request needs besides its verb. */
  readonly authorize: Authorizer;
  readonly fieldManagers: FieldManagers;
  readonly formats: Formats;
  readonly gates: FeatureGates;
  readonly store: Store<KubeObject>;
  readonly clock: Clock;
  /** `host:port` that `/api` tells clients to come to. */
  readonly advertiseAddress: string;
  /** When the server began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** A number from 0 to 1, for the time after which an unlimited watch ends. */
  readonly random: () => number;
  readonly metrics: ServerMetrics;
  /** Where watches are known to whoever orders what they are told. */
  readonly deliveries: WatchDeliveries;
  /** Aborts when the cluster is closed. */
  readonly closing: AbortSignal;
}
