import { unauthorized } from "../apimachinery/errors/errors.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { type FaultEffect, type Scenario, scenario } from "./scenario.ts";
import type { ScenarioOptions } from "./scenario-options.ts";

/** The definitions of the failures in this file. */
export const lostRights: FailureDefinitions<"permissionRevoked" | "tokenExpired" | "unauthorizedOnce"> = {
  permissionRevoked: { revokes: true },
  tokenExpired: { times: Number.POSITIVE_INFINITY },
  unauthorizedOnce: {},
};

/** Answers 401 although the credentials are valid. Faithful on every transport. */
export function unauthorizedOnce(options: ScenarioOptions = {}): Scenario {
  return scenario("unauthorizedOnce", lostRights.unauthorizedOnce, options, async () => {
    throw unauthorized();
  });
}

/**
 * Answers 401: the credentials of the first struck request expire, whether they are a token of any kind or a client
 * certificate. From then on, every request with them is refused and counts as a hit, and reviews say that the token is not valid;
 * open watches continue. Requests with other credentials succeed. Faithful on every transport.
 */
export function tokenExpired(options: ScenarioOptions = {}): Scenario {
  let hit = (): void => {};
  let renew: (() => void) | undefined;
  const expire: FaultEffect = async ({ expireCredentials }) => {
    renew = expireCredentials?.(() => hit());
    throw unauthorized();
  };
  return scenario("tokenExpired", lostRights.tokenExpired, options, expire, {
    need: {
      text: "with credentials that can expire",
      reason: "the credentials of another request have expired",
      holds: () => renew === undefined,
    },
    lacks: async ({ expireCredentials }) =>
      expireCredentials === undefined ? "it has no credentials that could expire" : undefined,
    begin: (_cluster, struck) => {
      hit = struck;
      renew = undefined;
      return () => renew?.();
    },
  });
}

/**
 * Revokes a permission: requests are answered 403, and as long as it is in effect, reviews such as those of `kubectl auth
 * can-i` answer no, as does `cluster.explain`. Open watches continue, because authorization is checked only when they start.
 * Faithful on every transport.
 */
export function permissionRevoked(options: ScenarioOptions = {}): Scenario {
  return scenario("permissionRevoked", lostRights.permissionRevoked, options, async ({ forbidden }) => {
    throw forbidden();
  });
}
