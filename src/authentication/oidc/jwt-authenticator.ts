import type { Clock } from "../../apimachinery/clock.ts";
import { getKey, type JsonObject } from "../../apimachinery/json.ts";
import type { TokenAuthenticator } from "../contract/authenticator.ts";
import { rejected } from "../contract/authenticator.ts";
import type { IssuerFetch } from "../contract/issuer-fetch.ts";
import { type ClaimsEnvironment, userOfClaims } from "./claims-user.ts";
import { issuerVerifier } from "./issuer-verifier.ts";
import { TokenError } from "./token-error.ts";

/** What an authenticator of one issuer depends on. */
export interface JwtEnvironment extends ClaimsEnvironment {
  readonly signingAlgs: readonly string[];
  readonly fetch: IssuerFetch;
  readonly clock: Clock;
}

/** Authenticates tokens that name this issuer. Upstream: apiserver, plugin/pkg/authenticator/token/oidc/oidc.go. */
export function jwtAuthenticator(environment: JwtEnvironment): TokenAuthenticator {
  const { configuration, signingAlgs } = environment;
  const verify = issuerVerifier(configuration.issuer, signingAlgs, environment);
  return async (token) => {
    try {
      const claims = await verify(token);
      checkDistributedClaims(claims, configuration.claimMappings.groups.claim);
      return { type: "authenticated", user: userOfClaims(claims, environment) };
    } catch (error) {
      if (error instanceof TokenError) return rejected(error.message);
      throw error;
    }
  };
}

/**
 * Upstream fetches a claim for groups from the address that the token names. The server opens no connection to an address
 * that its owner did not configure, so such a token is refused.
 */
function checkDistributedClaims(claims: JsonObject, groupsClaim: string): void {
  const names = getKey(claims, "_claim_names");
  if (groupsClaim === "" || getKey(claims, groupsClaim) !== undefined || names === undefined) return;
  if (typeof names !== "object" || names === null || !Object.hasOwn(names, groupsClaim)) return;
  throw new TokenError("oidc: could not expand distributed claims: they are not supported");
}
