import type { Clock } from "../apimachinery/clock.ts";
import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { Release } from "../apimachinery/release.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import type { ReviewWire } from "../webhooks/review-wire.ts";
import { abac } from "./abac/abac.ts";
import type { AbacPolicy } from "./abac/policy-file.ts";
import { alwaysAllow, alwaysDeny } from "./always.ts";
import type { AuthorizationMetrics } from "./contract/authorization-metrics.ts";
import type { AuthorizationOf } from "./contract/authorizer.ts";
import { instrumented } from "./instrumented.ts";
import { type NodeEnvironment, nodeAuthorization } from "./node/node-authorizer.ts";
import { privilegedGroup, privilegedGroups } from "./privileged-group.ts";
import { rbac } from "./rbac/rbac.ts";
import { union } from "./union.ts";
import { webhookAuthorization } from "./webhook/webhook-authorization.ts";
import type { WebhookAuthorizerConfig } from "./webhook/webhook-authorizer-config.ts";

/** The authorization modes, with the names of `--authorization-mode`. */
export type AuthorizationMode = "AlwaysAllow" | "AlwaysDeny" | "ABAC" | "Webhook" | "RBAC" | "Node";

/** What modes depend on. */
export interface AuthorizationEnvironment extends NodeEnvironment {
  readonly release: Release;
  readonly gates: FeatureGates;
  readonly policies: readonly AbacPolicy[];
  /** The webhook of the mode "Webhook". */
  readonly webhook: WebhookAuthorizerConfig | undefined;
  readonly clock: Clock;
  readonly metrics: AuthorizationMetrics;
  readonly wire?: ReviewWire | undefined;
}

/** A new mode is a file, a name above and a line here. */
const modes: {
  readonly [mode in AuthorizationMode]: (environment: AuthorizationEnvironment) => AuthorizationOf;
} = {
  AlwaysAllow: () => alwaysAllow,
  AlwaysDeny: () => alwaysDeny,
  ABAC: ({ policies }) => abac(policies),
  Webhook: (environment) => {
    const { webhook } = environment;
    return webhook === undefined ? alwaysDeny : webhookAuthorization(webhook, environment);
  },
  RBAC: () => rbac,
  Node: nodeAuthorization,
};

/** The names of all modes. */
export const authorizationModes: readonly string[] = Object.keys(modes);

/**
 * Asks the modes in order. Members of `system:masters` may do everything, whatever the modes are.
 * Upstream: pkg/kubeapiserver/authorizer/reload.go.
 */
export function authorizationOf(
  wanted: readonly AuthorizationMode[],
  environment: AuthorizationEnvironment,
): AuthorizationOf {
  return union([
    { name: privilegedGroup, of: privilegedGroups },
    ...wanted.map((mode) => ({
      name: mode,
      of: authorizationOfMode(mode, mode.toLowerCase(), environment),
    })),
  ]);
}

/** The authorization of one mode, whose decisions are counted by its name. */
export function authorizationOfMode(
  mode: AuthorizationMode,
  name: string,
  environment: AuthorizationEnvironment,
): AuthorizationOf {
  return instrumented(modes[mode](environment), mode, name, environment.metrics);
}

/**
 * Why a list of modes cannot be used, in the words of upstream; undefined if it can.
 * Upstream: pkg/kubeapiserver/options/authorization.go.
 */
export function modesProblem(wanted: readonly string[]): string | undefined {
  if (wanted.length === 0) return "at least one authorization-mode must be passed";
  const unknown = wanted.find((mode) => !authorizationModes.includes(mode));
  if (unknown !== undefined) return `authorization-mode ${goQuote(unknown)} is not a valid mode`;
  if (new Set(wanted).size === wanted.length) return undefined;
  return `authorization-mode [${wanted.map(goQuote).join(" ")}] has mode specified more than once`;
}
