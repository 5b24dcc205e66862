import { goQuote } from "../apimachinery/go/go-quote.ts";
import { parseGoUrl } from "../apimachinery/go/go-url.ts";
import type { Since } from "../apimachinery/release.ts";

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
    checkIssuer(issuer);
    if (seen.has(issuer)) throw new Error(`service-account-issuer ${goQuote(issuer)} is already specified`);
    seen.add(issuer);
  }
  return issuers;
}

function checkIssuer(issuer: string): void {
  if (issuer === "") throw new Error("service-account-issuer should not be an empty string");
  const problem = issuer.includes(":") ? urlProblem(issuer) : undefined;
  if (problem === undefined) return;
  throw new Error(
    `service-account-issuer ${goQuote(issuer)} contained a ':' but was not a valid URL: ${problem}`,
  );
}

/** @throws {Error} in upstream's words, for a URL of the keys that clients would not fetch */
export function checkJwksUri(uri: string | undefined): void {
  if (uri === undefined) return;
  const problem = urlProblem(uri);
  if (problem !== undefined) throw new Error(`service-account-jwks-uri must be a valid URL: ${problem}`);
  if (parseGoUrl(uri).scheme !== "https") {
    throw new Error(`service-account-jwks-uri requires https scheme, parsed as: ${uri}`);
  }
}

function urlProblem(text: string): string | undefined {
  try {
    parseGoUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
