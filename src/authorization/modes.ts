import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { abac } from "./abac/abac.ts";
import type { AbacPolicy } from "./abac/policy-file.ts";
import { alwaysAllow, alwaysDeny } from "./always.ts";
import type { AuthorizationOf } from "./contract/authorizer.ts";
import { nodeAuthorization } from "./node/node-authorizer.ts";
import { privilegedGroup, privilegedGroups } from "./privileged-group.ts";
import { rbac } from "./rbac/rbac.ts";
import { union } from "./union.ts";

/** The authorization modes, with the names of `--authorization-mode`. */
export type AuthorizationMode = "AlwaysAllow" | "AlwaysDeny" | "ABAC" | "RBAC" | "Node";

/** What modes depend on. */
export interface AuthorizationEnvironment {
  readonly gates: Pick<FeatureGates, "isEnabled">;
  readonly policies: readonly AbacPolicy[];
}

/** A new mode is a file, a name above and a line here. */
const modes: {
  readonly [mode in AuthorizationMode]: (environment: AuthorizationEnvironment) => AuthorizationOf;
} = {
  AlwaysAllow: () => alwaysAllow,
  AlwaysDeny: () => alwaysDeny,
  ABAC: ({ policies }) => abac(policies),
  RBAC: () => rbac,
  Node: ({ gates }) => nodeAuthorization(gates),
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
    ...wanted.map((name) => ({ name, of: modes[name](environment) })),
  ]);
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
