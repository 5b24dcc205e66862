import {
  type ConfiguredAuthorization,
  configuredAuthorization,
} from "../authorization/configuration/configured-authorization.ts";
import type { AuthorizationMetrics } from "../authorization/contract/authorization-metrics.ts";
import { authorizationOf } from "../authorization/modes.ts";
import type { Config } from "./options.ts";

/** The authorization by modes, or by a configuration. */
export function authorizationFor(
  { authorization, featureGates: gates, catalog: { release }, clock }: Config,
  metrics: AuthorizationMetrics,
): ConfiguredAuthorization {
  const { modes, policies, webhook, configuration } = authorization;
  const environment = { release, gates, policies, webhook, clock, metrics };
  if (configuration !== undefined) return configuredAuthorization(configuration, environment);
  return { authorizationOf: authorizationOf(modes, environment), load: async () => {} };
}
