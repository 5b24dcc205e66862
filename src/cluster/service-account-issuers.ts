import { goQuote } from "../apimachinery/go/go-quote.ts";
import type { Since } from "../apimachinery/release.ts";
import type { ServiceAccountConfig } from "../authentication/contract/authentication-config.ts";

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

/** Whether there are URLs to check at the start: all but the default. */
export function namesUrls({ issuers, jwksUri }: ServiceAccountConfig): boolean {
  return jwksUri !== undefined || issuers.some((issuer) => issuer !== defaultIssuer && issuer.includes(":"));
}
