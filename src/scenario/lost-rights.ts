import { unauthorized } from "../apimachinery/errors/errors.ts";
import { type Scenario, type ScenarioOptions, scenario } from "./scenario.ts";

/** Answers 401 although the credentials are valid. Faithful on every transport. */
export function unauthorizedOnce(options: ScenarioOptions = {}): Scenario {
  return scenario("unauthorizedOnce", options, {}, async () => {
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
 * Answers 403 to a user whose permission was revoked. Open watches continue, because authorization is checked only when
 * they start. Faithful on every transport.
 */
export function permissionRevoked(options: ScenarioOptions = {}): Scenario {
  return scenario("permissionRevoked", options, {}, async ({ forbidden }) => {
    throw forbidden();
  });
}
