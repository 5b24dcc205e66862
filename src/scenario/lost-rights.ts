import { unauthorized } from "../apimachinery/errors/errors.ts";
import { type Scenario, type ScenarioOptions, scenario } from "./scenario.ts";

/** 401, though the credentials are right. Faithful on every transport. */
export function unauthorizedOnce(options: ScenarioOptions = {}): Scenario {
  return scenario("unauthorizedOnce", options, {}, async () => {
    throw unauthorized();
  });
}

/**
 * 401: the credentials of the first request that is struck have expired. Whoever comes with others is let in.
 * Faithful on every transport.
 */
export function tokenExpired(options: ScenarioOptions = {}): Scenario {
  let expired: string | undefined;
  const refused = async () => {
    throw unauthorized();
  };
  return scenario("tokenExpired", { times: Number.POSITIVE_INFINITY, ...options }, {}, refused, {
    need: {
      text: "with the credentials that have expired",
      holds: (_request, headers) => {
        const sent = headers?.get("authorization");
        expired ??= sent;
        return sent !== undefined && sent === expired;
      },
    },
  });
}

/**
 * 403: what the user was allowed to do before. Watches that are open stay so, as nobody asks again while they are.
 * Faithful on every transport.
 */
export function permissionRevoked(options: ScenarioOptions = {}): Scenario {
  return scenario("permissionRevoked", options, {}, async ({ forbidden }) => {
    throw forbidden();
  });
}
