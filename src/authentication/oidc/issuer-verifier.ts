import type { Clock } from "../../apimachinery/clock.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { AuthenticationMetrics, KeySetFetches } from "../contract/authentication-metrics.ts";
import type { IssuerFetch } from "../contract/issuer-fetch.ts";
import type { IssuerConfiguration } from "../contract/jwt-configuration.ts";
import { checkAudiences, checkToken, readToken } from "./id-token.ts";
import { discoveredKeysUrl, fetchDocument } from "./issuer-documents.ts";
import { type IssuerKeys, issuerKeys, keysOfSet } from "./issuer-keys.ts";
import { serverHash, textHash } from "./text-hash.ts";
import { TokenError } from "./token-error.ts";

/** How long an issuer whose discovery document cannot be had is not asked again, in milliseconds, as in upstream. */
const pauseMilliseconds = 10_000;

/** Verifies the tokens of an issuer. */
export interface IssuerVerifier {
  /** The claims of a token. @throws {TokenError} */
  readonly verify: (token: string) => Promise<JsonObject>;
  /** Asks for the discovery document, if it is missing and ten seconds have passed since that failed. */
  readonly discover: () => Promise<void>;
}

/** What a verifier depends on. */
export interface VerifierEnvironment {
  readonly fetch: IssuerFetch;
  readonly clock: Clock;
  readonly metrics: AuthenticationMetrics;
}

/**
 * The verifier of an issuer. Tokens wait for the discovery document, and ask for it if it is missing. Upstream refuses them
 * until it has the document, for which it asks every ten seconds; here, a client that comes early needs no luck.
 */
export function issuerVerifier(
  issuer: IssuerConfiguration,
  signingAlgs: readonly string[],
  { fetch, clock, metrics }: VerifierEnvironment,
): IssuerVerifier {
  const { url, audiences, certificateAuthority } = issuer;
  let keys: IssuerKeys | undefined;
  let discovery: Promise<void> | undefined;
  let nextDiscovery = Number.NEGATIVE_INFINITY;
  const issuerHash = textHash(url);
  const note = (fetched: Omit<KeySetFetches, "serverHash">) =>
    metrics.noteKeySet(issuerHash, { serverHash, ...fetched });
  const fetchKeys = async (keysUrl: string): Promise<readonly JsonObject[]> => {
    try {
      const { text, content } = await fetchDocument(keysUrl, certificateAuthority, fetch, clock);
      const fetched = keysOfSet(content);
      note({ success: clock.now() / 1000, keySet: textHash(text) });
      return fetched;
    } catch (error) {
      note({ failure: clock.now() / 1000 });
      throw error;
    }
  };
  const askForDocument = async (): Promise<void> => {
    nextDiscovery = clock.now() + pauseMilliseconds;
    try {
      const keysUrl = await discoveredKeysUrl(issuer, fetch, clock);
      keys = issuerKeys(() => fetchKeys(keysUrl));
    } catch {
      // The next token after the pause tries it again.
    } finally {
      discovery = undefined;
    }
  };
  const discover = async (): Promise<void> => {
    if (keys !== undefined || (discovery === undefined && clock.now() < nextDiscovery)) return;
    discovery ??= askForDocument();
    await discovery;
  };
  const verify = async (token: string): Promise<JsonObject> => {
    if (keys === undefined) await discover();
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
  return { verify, discover };
}
