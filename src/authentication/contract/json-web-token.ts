import { getKey, isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json.ts";
import { decodeBase64Url } from "../../codec/base64-url.ts";

/**
 * The claims of a JSON Web Token whose signature is not verified; undefined if it is none. Only the compact form counts.
 */
export function unverifiedClaims(token: string): JsonObject | undefined {
  const [, payload = "", signature, ...others] = token.split(".", 4);
  if (signature === undefined || others.length > 0) return undefined;
  try {
    const claims: JsonValue = JSON.parse(new TextDecoder().decode(decodeBase64Url(payload)));
    return isJsonObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** The unverified issuer of a JSON Web Token; undefined if it is none or names no issuer. */
export function unverifiedIssuer(token: string): string | undefined {
  const claims = unverifiedClaims(token);
  const issuer = claims && getKey(claims, "iss");
  return typeof issuer === "string" ? issuer : undefined;
}
