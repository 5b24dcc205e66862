import type { Clock } from "../apimachinery/clock.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { AuthenticationConfig } from "./authentication-config.ts";
import type { StaticTokens } from "./static-token.ts";

/** What the methods of authentication depend on. */
export interface AuthenticationEnvironment {
  readonly config: AuthenticationConfig;
  /** Reads the objects of the cluster. */
  readonly lister: Lister;
  /** Credentials expire by it. */
  readonly clock: Clock;
  readonly gates: FeatureGates;
  /** The tokens that the cluster issued to its own clients and to tests. */
  readonly issued: StaticTokens;
}
