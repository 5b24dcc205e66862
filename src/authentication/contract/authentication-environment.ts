import type { Clock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { Release } from "../../apimachinery/release.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { ReviewWire } from "../../webhooks/review-wire.ts";
import type { AuthenticationConfig } from "./authentication-config.ts";
import type { AuthenticationMetrics } from "./authentication-metrics.ts";

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
  readonly metrics: AuthenticationMetrics;
  /** Changes what is said to webhooks; undefined if nothing does. */
  readonly wire?: ReviewWire | undefined;
}
