import type { Release } from "../apimachinery/release.ts";
import {
  type ConfiguredAuthorization,
  configuredAuthorization,
} from "../authorization/configuration/configured-authorization.ts";
import type { AuthorizationMetrics } from "../authorization/contract/authorization-metrics.ts";
import { type PolicyRule, policyRulesOf } from "../authorization/contract/policy-rule.ts";
import { authorizationOf } from "../authorization/modes.ts";
import type { Config } from "./options.ts";
import { recordedObjects } from "./recorded-objects.ts";

/** The authorization by modes, or by a configuration. */
export function authorizationFor(
  { authorization, featureGates: gates, catalog: { release }, clock, reviewWire: wire }: Config,
  metrics: AuthorizationMetrics,
): ConfiguredAuthorization {
  const { modes, policies, webhook, configuration } = authorization;
  const nodeRules = () => rulesOfNodes(release);
  const environment = { release, gates, policies, webhook, clock, metrics, nodeRules, wire };
  if (configuration !== undefined) return configuredAuthorization(configuration, environment);
  return { authorizationOf: authorizationOf(modes, environment), load: async () => {} };
}

function rulesOfNodes(release: Release): readonly PolicyRule[] {
  const role = recordedObjects(release).find(({ object }) => object.metadata.name === "system:node");
  return role === undefined ? [] : policyRulesOf(role.object);
}
