import type { Clock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { Release } from "../../apimachinery/release.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { AuthenticationConfig } from "./authentication-config.ts";

/** The metrics of the tokens of service accounts, whose names begin with `serviceaccount_`. */
export type TokenCounter =
  | "legacy_tokens_total"
  | "stale_tokens_total"
  | "valid_tokens_total"
  | "legacy_manual_token_uses_total"
  | "legacy_auto_token_uses_total"
  | "invalid_legacy_auto_token_uses_total";

/** What the methods of authentication depend on. */
export interface AuthenticationEnvironment {
  readonly config: AuthenticationConfig;
  /** Reads the objects of the cluster. */
  readonly lister: Lister;
  /** Credentials expire by it. */
  readonly clock: Clock;
  readonly gates: FeatureGates;
  readonly release: Release;
  /** Merges into an object of the cluster as the server itself. @throws {StatusError} */
  readonly patchSecret: (namespace: string, name: string, patch: JsonObject) => Promise<unknown>;
  /** Counts a token of a service account that was verified; remembered ones are not counted again. */
  readonly count: (counter: TokenCounter) => void;
}
