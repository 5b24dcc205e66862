import { messageOf } from "../../apimachinery/errors/message-of.ts";
import { goQuote, goQuotedList } from "../../apimachinery/go/go-quote.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { decodeBase64Url } from "../../codec/base64-url.ts";
import { ClaimError, textClaim, textsClaim, timeClaim } from "./go-claims.ts";
import { TokenError } from "./token-error.ts";

/** The header of a token in compact form. */
export interface TokenHeader {
  readonly algorithm: string;
  /** Empty if the token names no key. */
  readonly keyId: string;
  /** Whether the header names extensions that a verifier must understand. */
  readonly isCritical: boolean;
}

/** A token whose signature is not verified yet. */
export interface UnverifiedToken {
  readonly header: TokenHeader;
  readonly claims: JsonObject;
}

/** What a token must state. */
export interface ExpectedToken {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly signingAlgs: readonly string[];
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** How far in the future `nbf` may be, in seconds. */
const leeway = 60;

/** Reads a token in compact form. @throws {TokenError} */
export function readToken(token: string): UnverifiedToken {
  const [header = "", payload = "", signature, ...others] = token.split(".", 4);
  if (signature === undefined || others.length > 0) {
    throw malformed("go-jose/go-jose: compact JWS format must have three parts");
  }
  return { header: headerOf(objectOf(header)), claims: objectOf(payload) };
}

/**
 * Checks what a token states, in the order and the words of upstream's library (github.com/coreos/go-oidc, verify.go). The
 * signature comes last, because its key may have to be fetched.
 * @throws {TokenError}
 */
export function checkToken(
  { header, claims }: UnverifiedToken,
  { issuer, audiences, signingAlgs, now }: ExpectedToken,
): void {
  const { actualIssuer, actualAudiences, expires = zeroTime, notBefore } = registeredClaims(claims);
  if (actualIssuer !== issuer && !isGoogle(issuer, actualIssuer)) {
    throw new TokenError(
      `oidc: id token issued by a different provider, expected ${goQuote(issuer)} got ${goQuote(actualIssuer)}`,
    );
  }
  const [only = ""] = audiences;
  if (audiences.length === 1 && !actualAudiences.includes(only)) {
    throw new TokenError(`oidc: expected audience ${goQuote(only)} got ${goQuotedList(actualAudiences)}`);
  }
  if (expires * 1000 < now) throw new TokenError(`oidc: token is expired (Token Expiry: ${goTime(expires)})`);
  if (notBefore !== undefined && now / 1000 + leeway < notBefore) {
    const times = `${goTime(now / 1000)} before the nbf (not before) time: ${goTime(notBefore)}`;
    throw new TokenError(`oidc: current time ${times}`);
  }
  if (!signingAlgs.includes(header.algorithm)) {
    const algorithms = `expected ${goQuotedList(signingAlgs)} got ${goQuote(header.algorithm)}`;
    throw new TokenError(`oidc: id token signed with unsupported algorithm, ${algorithms}`);
  }
}

/** Checks several audiences, of which one is enough. It comes after the signature. @throws {TokenError} */
export function checkAudiences(claims: JsonObject, audiences: readonly string[]): void {
  const { actualAudiences } = registeredClaims(claims);
  if (actualAudiences.some((audience) => audiences.includes(audience))) return;
  const expected = goQuotedList([...new Set(audiences)].sort());
  throw new TokenError(`oidc: expected audience in ${expected} got ${goQuotedList(actualAudiences)}`);
}

/** Google's tokens may name their issuer without the scheme. */
function isGoogle(issuer: string, actualIssuer: string): boolean {
  return issuer === "https://accounts.google.com" && actualIssuer === "accounts.google.com";
}

function registeredClaims(claims: JsonObject): {
  readonly actualIssuer: string;
  readonly actualAudiences: readonly string[];
  readonly expires: number | undefined;
  readonly notBefore: number | undefined;
} {
  try {
    return {
      actualIssuer: Object.hasOwn(claims, "iss") ? textClaim(claims, "iss") : "",
      actualAudiences: Object.hasOwn(claims, "aud") ? textsClaim(claims, "aud") : [],
      expires: timeClaim(claims, "exp"),
      notBefore: timeClaim(claims, "nbf"),
    };
  } catch (error) {
    if (error instanceof ClaimError)
      throw new TokenError(`oidc: failed to unmarshal claims: ${error.message}`);
    throw error;
  }
}

function objectOf(part: string): JsonObject {
  let value: JsonValue;
  try {
    value = JSON.parse(new TextDecoder().decode(decodeBase64Url(part)));
  } catch (error) {
    throw malformed(messageOf(error));
  }
  if (!isJsonObject(value)) throw malformed("json: cannot unmarshal into Go value of type jose.rawHeader");
  return value;
}

function headerOf(header: JsonObject): TokenHeader {
  const text = (name: string) => (Object.hasOwn(header, name) ? (header[name] ?? "") : "");
  const [algorithm, keyId] = [text("alg"), text("kid")];
  if (typeof algorithm !== "string" || typeof keyId !== "string") {
    throw malformed("json: cannot unmarshal into Go value of type string");
  }
  return { algorithm, keyId, isCritical: Object.hasOwn(header, "crit") };
}

function malformed(detail: string): TokenError {
  return new TokenError(`oidc: malformed jwt: ${detail}`);
}

/** The time that Go has for a claim that is not set, in seconds since the epoch. */
const zeroTime = Date.parse("0001-01-01T00:00:00Z") / 1000;

/** A time in seconds as Go prints it in UTC. */
function goTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return `${seconds} seconds since 1970`;
  const [day, time = ""] = date.toISOString().split("T");
  return `${day} ${time.replace(/(\.\d*?)0*Z$/, "$1").replace(/\.$/, "")} +0000 UTC`;
}
