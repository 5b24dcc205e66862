import type { Clock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { IssuerFetch } from "../contract/issuer-fetch.ts";
import type { IssuerConfiguration } from "../contract/jwt-configuration.ts";
import { checkAudiences, checkToken, readToken } from "./id-token.ts";
import { discoveredKeysUrl, fetchDocument } from "./issuer-documents.ts";
import { type IssuerKeys, issuerKeys, keysOfSet } from "./issuer-keys.ts";
import { TokenError } from "./token-error.ts";

/** How long an issuer whose discovery document cannot be had is not asked again, in milliseconds, as in upstream. */
const pauseMilliseconds = 10_000;

/** Verifies the tokens of an issuer and returns their claims. @throws {TokenError} */
export type IssuerVerifier = (token: string) => Promise<JsonObject>;

/**
 * The verifier of an issuer. Unlike upstream, which asks for the discovery document at the start, it does so with the first
 * token.
 */
export function issuerVerifier(
  issuer: IssuerConfiguration,
  signingAlgs: readonly string[],
  { fetch, clock }: { readonly fetch: IssuerFetch; readonly clock: Clock },
): IssuerVerifier {
  const { url, audiences, certificateAuthority } = issuer;
  let keys: IssuerKeys | undefined;
  let discovery: Promise<void> | undefined;
  let nextDiscovery = Number.NEGATIVE_INFINITY;
  const discover = async (): Promise<void> => {
    nextDiscovery = clock.now() + pauseMilliseconds;
    try {
      const keysUrl = await discoveredKeysUrl(issuer, fetch, clock);
      keys = issuerKeys(async () =>
        keysOfSet(await fetchDocument(keysUrl, certificateAuthority, fetch, clock)),
      );
    } catch {
      // The next token after the pause tries it again.
    } finally {
      discovery = undefined;
    }
  };
  return async (token) => {
    if (keys === undefined && (discovery !== undefined || clock.now() >= nextDiscovery)) {
      discovery ??= discover();
      await discovery;
    }
    if (keys === undefined) throw new TokenError("oidc: authenticator not initialized");
    try {
      const unverified = readToken(token);
      checkToken(unverified, { issuer: url, audiences, signingAlgs, now: clock.now() });
      await keys.verify(token, unverified.header);
      checkAudiences(unverified.claims, audiences);
      return unverified.claims;
    } catch (error) {
      if (error instanceof TokenError) throw new TokenError(`oidc: verify token: ${error.message}`);
      throw error;
    }
  };
}
