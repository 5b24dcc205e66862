import { goQuote } from "../apimachinery/go/go-quote.ts";
import { parseGoUrl } from "../apimachinery/go/go-url.ts";
import type { ServiceAccountConfig } from "../authentication/contract/authentication-config.ts";
import { StartError } from "./contract/start-error.ts";

/**
 * Checks the issuers that have the form of a URL, and the URL of the keys.
 * @throws {StartError} in upstream's words
 */
export function checkIssuerUrls({ issuers, jwksUri }: ServiceAccountConfig): void {
  const urls = issuers.filter((issuer) => issuer.includes(":"));
  const schemeOf = (url: string, problem: string): string => {
    try {
      return parseGoUrl(url).scheme;
    } catch (error) {
      throw error instanceof RangeError ? new StartError(`${problem}: ${error.message}`) : error;
    }
  };
  for (const url of urls) {
    schemeOf(url, `service-account-issuer ${goQuote(url)} contained a ':' but was not a valid URL`);
  }
  if (jwksUri === undefined) return;
  if (schemeOf(jwksUri, "service-account-jwks-uri must be a valid URL") === "https") return;
  throw new StartError(`service-account-jwks-uri requires https scheme, parsed as: ${jwksUri}`);
}
