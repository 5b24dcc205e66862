import { unauthorized } from "../apimachinery/errors/errors.ts";
import type { FailureDefinitions } from "./failure-definition.ts";
import { type Scenario, scenario } from "./scenario.ts";
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
 * Answers 401: the credentials of the first struck request have expired. Requests with other credentials succeed.
 * Faithful on every transport.
 */
export function tokenExpired(options: ScenarioOptions = {}): Scenario {
  let expired: string | undefined;
  const refused = async () => {
    throw unauthorized();
  };
  return scenario("tokenExpired", lostRights.tokenExpired, options, refused, {
    need: {
      text: "with the credentials that have expired",
      reason: "it needs an Authorization header with the credentials that have expired",
      holds: (_request, headers) => {
        const sent = headers?.get("authorization");
        expired ??= sent;
        return sent !== undefined && sent === expired;
      },
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
