import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { AuthenticationEnvironment } from "../contract/authentication-environment.ts";
import {
  type Authentication,
  type AuthenticationNotes,
  noOpinion,
  type Rejection,
  rejected,
  type TokenAuthenticator,
  wrongAudience,
} from "../contract/authenticator.ts";
import { unverifiedIssuer } from "../contract/json-web-token.ts";
import { TokenSignatureError } from "../contract/service-account-keys.ts";
import type { ValidClaims } from "../contract/valid-claims.ts";
import { legacyIssuer } from "./legacy-issuer.ts";

/** The user of verified claims and the notes about them, or why they are not valid. */
export type ClaimsValidator = (token: string, claims: JsonObject) => ValidClaims | Rejection;

/** The tokens of Secrets. */
export function legacyServiceAccountTokens(environment: AuthenticationEnvironment): TokenAuthenticator {
  const load = async () => (await import("./legacy-token.ts")).legacyTokenUser(environment);
  return tokensOf([legacyIssuer], load, environment);
}

/** The tokens of TokenRequests. */
export function boundServiceAccountTokens(environment: AuthenticationEnvironment): TokenAuthenticator {
  const { issuers } = environment.config.serviceAccounts;
  const load = async () => (await import("./bound-token.ts")).boundTokenUser(environment);
  return tokensOf(issuers, load, environment);
}

/** The checks of claims are loaded with the first token of the issuers. Upstream: pkg/serviceaccount/jwt.go, jwtTokenAuthenticator. */
function tokensOf(
  issuers: readonly string[],
  load: () => Promise<ClaimsValidator>,
  { config: { apiAudiences, serviceAccountKeys }, metrics }: AuthenticationEnvironment,
): TokenAuthenticator {
  let validator: Promise<ClaimsValidator> | undefined;
  return (token, wanted) => {
    if (!issuers.includes(unverifiedIssuer(token) ?? "")) return noOpinion;
    return serviceAccountKeys.verify(token).then(async (claims): Promise<Authentication> => {
      if (claims === undefined) return noOpinion;
      const { aud } = claims;
      const named = typeof aud === "string" ? [aud] : textsOf(aud);
      const isLegacy = named.length === 0;
      const audiences = isLegacy ? apiAudiences : named;
      if (isLegacy) metrics.countServiceAccountToken("legacy_tokens_total");
      const common = audiences.filter((audience) => wanted.includes(audience));
      if (common.length === 0) return wrongAudience(audiences, wanted);
      validator ??= load();
      const valid = (await validator)(token, claims);
      if ("type" in valid) return valid;
      const { user, notes } = valid;
      return {
        type: "authenticated",
        user,
        audiences: common,
        notes: isLegacy ? notesOfLegacyToken(claims, notes) : notes,
      };
    }, rejectionOf);
  };
}

function notesOfLegacyToken(
  claims: JsonObject,
  { annotations, warnings }: AuthenticationNotes = { annotations: {}, warnings: [] },
): AuthenticationNotes {
  const legacy = { "authentication.k8s.io/legacy-token": textAt(claims, "sub") };
  return { annotations: { ...legacy, ...annotations }, warnings };
}

function rejectionOf(error: unknown): Authentication {
  if (error instanceof TokenSignatureError) return rejected(error.message);
  throw error;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
