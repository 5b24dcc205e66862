import { getKey, type JsonObject } from "../../apimachinery/json.ts";
import type { TokenAuthenticator } from "../contract/authenticator.ts";
import { rejected } from "../contract/authenticator.ts";
import { type ClaimsEnvironment, userOfClaims } from "./claims-user.ts";
import { issuerVerifier, type VerifierEnvironment } from "./issuer-verifier.ts";
import { textHash } from "./text-hash.ts";
import { TokenError } from "./token-error.ts";

/** What an authenticator of one issuer depends on. */
export interface JwtEnvironment extends ClaimsEnvironment, VerifierEnvironment {
  readonly signingAlgs: readonly string[];
}

/** An authenticator of one issuer. */
export interface JwtAuthenticator {
  readonly authenticate: TokenAuthenticator;
  /** Asks the issuer for its discovery document. */
  readonly discover: () => Promise<void>;
}

/** Authenticates tokens that name this issuer. Upstream: apiserver, plugin/pkg/authenticator/token/oidc/oidc.go. */
export function jwtAuthenticator(environment: JwtEnvironment): JwtAuthenticator {
  const { configuration, signingAlgs, clock, metrics } = environment;
  const { verify, discover } = issuerVerifier(configuration.issuer, signingAlgs, environment);
  const issuerHash = textHash(configuration.issuer.url);
  const observe = (result: "success" | "failure", since: number) =>
    metrics.issuerTokens.observe(
      `jwt_issuer_hash="${issuerHash}",result="${result}"`,
      (clock.now() - since) / 1000,
    );
  const authenticate: TokenAuthenticator = async (token) => {
    const start = clock.now();
    try {
      const claims = await verify(token);
      checkDistributedClaims(claims, configuration.claimMappings.groups.claim);
      const user = userOfClaims(claims, environment);
      observe("success", start);
      return { type: "authenticated", user };
    } catch (error) {
      observe("failure", start);
      if (error instanceof TokenError) return rejected(error.message);
      throw error;
    }
  };
  return { authenticate, discover };
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
