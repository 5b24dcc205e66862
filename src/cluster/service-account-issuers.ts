import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { Since } from "../apimachinery/release.ts";
import type { ServiceAccountConfig } from "../authentication/contract/authentication-config.ts";
import { StartError } from "./contract/start-error.ts";

const defaultIssuer = "https://kubernetes.default.svc.cluster.local";

/**
 * The issuers of service account tokens. Releases before 1.22 have one, and of several flags the last one counts.
 * @throws {Error} in upstream's words (pkg/kubeapiserver/options/authentication.go, Validate)
 */
export function completeIssuers(
  given: string | readonly string[] = defaultIssuer,
  since: Since,
): readonly string[] {
  const all = typeof given === "string" ? [given] : given;
  if (all.length === 0) throw new Error("service-account-issuer is a required flag");
  const issuers = since("1.22") ? all : all.slice(-1);
  const seen = new Set<string>();
  for (const issuer of issuers) {
    if (issuer === "") throw new Error("service-account-issuer should not be an empty string");
    if (seen.has(issuer)) throw new Error(`service-account-issuer ${goQuote(issuer)} is already specified`);
    seen.add(issuer);
  }
  return issuers;
}

/**
 * Checks the issuers that have the form of a URL, and the URL of the keys. The code that parses them as Go does is loaded if there are
 * any but the default.
 * @throws {StartError} in upstream's words
 */
export async function checkIssuerUrls({ issuers, jwksUri }: ServiceAccountConfig): Promise<void> {
  const urls = issuers.filter((issuer) => issuer !== defaultIssuer && issuer.includes(":"));
  if (urls.length === 0 && jwksUri === undefined) return;
  const { parseGoUrl } = await import("../apimachinery/go/go-url.ts");
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
