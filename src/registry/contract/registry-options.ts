import type { Clock } from "../../apimachinery/clock.ts";
import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { FollowingLister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { AuthenticationConfig } from "../../authentication/contract/authentication-config.ts";
import type { TokenAuthenticator } from "../../authentication/contract/authenticator.ts";
import type { Authorization, AuthorizationOf } from "../../authorization/contract/authorizer.ts";
import type { RoleFinder } from "../../authorization/contract/role-finder.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";
import type { ServedApi } from "../../served/served-api.ts";
import type { Store } from "../../store/store.ts";
import type { ConversionMetrics } from "./conversion-metrics.ts";
import type { ExpressionMetrics } from "./expression-metrics.ts";
import type { KeySpace } from "./object-key.ts";
import type { PodConnections } from "./pod-connections.ts";
import type { RepeatedErrors } from "./repeated-errors.ts";
import type { ServiceRanges } from "./service-ranges.ts";
import type { CallConversionWebhook } from "./storage-codec.ts";
import type { Identifiers } from "./system-fields.ts";

/** The dependencies of the registry. */
export interface RegistryOptions {
  readonly served: ServedApi;
  readonly store: Store<KubeObject>;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly gates: FeatureGates;
  readonly serviceRanges: ServiceRanges;
  readonly authentication: AuthenticationConfig;
  /** Authenticates the tokens in reviews. */
  readonly authenticateToken: TokenAuthenticator;
  readonly authorizationOf: AuthorizationOf;
  /** The authorization without the permissions that tests have revoked. */
  readonly revocable: (authorization: Authorization) => Authorization;
  /**
   * Writes the status of an object as the server itself, and returns the stored object. @throws {StatusError}
   * conflict
   */
  readonly updateStatus: (object: KubeObject) => Promise<KubeObject>;
  /** What answers in place of kubelets and pods. */
  readonly podConnections: PodConnections;
  /** Calls the webhooks that convert custom resources. */
  readonly callConversionWebhook: CallConversionWebhook;
  readonly conversionMetrics: ConversionMetrics;
  readonly expressionMetrics: ExpressionMetrics;
  readonly repeatedErrors: RepeatedErrors;
  /** What lives in the cluster besides the server: "workloads", "scheduler" or "kubelets". */
  readonly simulation: readonly string[];
}

/** The facts on which the rules of a kind depend. */
export interface StrategyFacts {
  readonly gates: FeatureGates;
  /** The schema of the kind in its storage version. */
  readonly schema: KindSchema;
}

/** The facts for the strategies of a version or a subresource. */
export type RefinementFacts = StrategyFacts & Pick<RegistryOptions, "expressionMetrics">;

/** The environment of the strategy of a resource. */
export interface StrategyEnvironment extends RegistryOptions, StrategyFacts {
  readonly lister: FollowingLister;
  /** What users may do in the state that the registry reads. */
  readonly authorization: Authorization;
  /** The roles that the state binds, whatever the authorization modes are. */
  readonly roles: RoleFinder;
  /** The part of the store that holds the resource. */
  readonly space: KeySpace;
  /** The storage key of an object of any resource; undefined if the server does not have the resource. */
  readonly keyOf: (gr: GroupResource, namespace: string, name: string) => string | undefined;
}
