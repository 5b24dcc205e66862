import type { Clock } from "../../apimachinery/clock.ts";
import type { GroupResource } from "../../apimachinery/group-version.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ServiceAccountIssuer } from "../../authentication/service-account-token.ts";
import type { Authorization } from "../../authorization/authorizer.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { StructSchema } from "../../catalog/type-schema.ts";
import type { ServedApi } from "../../served/served-api.ts";
import type { Store } from "../../store/store.ts";
import type { KeySpace } from "./object-key.ts";
import type { ServiceRanges } from "./service-ranges.ts";
import type { Identifiers } from "./system-fields.ts";

/** What the resources are kept in and made of. */
export interface RegistryOptions {
  readonly served: ServedApi;
  readonly store: Store<KubeObject>;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly gates: FeatureGates;
  readonly serviceRanges: ServiceRanges;
  readonly serviceAccountIssuer: ServiceAccountIssuer;
  /** Who may do what, as reviews tell. */
  readonly authorization: Authorization;
  /** Writes the status of an object as the server itself, and gives what is stored then. @throws {StatusError} conflict */
  readonly updateStatus: (object: KubeObject) => Promise<KubeObject>;
}

/** What the rules of a kind depend on besides its objects. */
export interface StrategyFacts {
  readonly gates: FeatureGates;
  /** The kind, in the version that is stored. */
  readonly schema: StructSchema;
}

/** What the strategy of one resource may use besides. */
export interface StrategyEnvironment extends RegistryOptions, StrategyFacts {
  readonly lister: Lister;
  /** Where the store keeps the resource's objects. */
  readonly space: KeySpace;
  /** Where the store keeps an object of any resource; undefined for one that the server does not have. */
  readonly keyOf: (gr: GroupResource, namespace: string, name: string) => string | undefined;
}
