import {
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
} from "../../apimachinery/errors/field.ts";
import type { Wording } from "../../apimachinery/errors/wording.ts";
import { parseGoUrl } from "../../apimachinery/go/go-url.ts";
import { pemBlocks } from "../../apimachinery/pem.ts";
import { child, index } from "../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import { parseCertificate } from "../../apimachinery/x509/certificate.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { IssuerConfiguration } from "../contract/jwt-configuration.ts";

/** What the validation of an issuer depends on. */
export interface IssuerRules {
  readonly gates: FeatureGates;
  /** The issuers of service account tokens. */
  readonly disallowedIssuers: readonly string[];
}

/** Since 1.34, a message does not repeat the name of its field. */
export function untilNames(detail: string, since134 = ""): Wording {
  return (since) => (since("1.34") ? since134 : detail);
}

/** Validates an issuer. Upstream: apiserver, pkg/apis/apiserver/validation/validation.go. */
export function addIssuerErrors(
  errors: Findings,
  issuer: IssuerConfiguration,
  path: string,
  rules: IssuerRules,
): void {
  const { url, discoveryUrl } = issuer;
  if (url === "") errors.push(fieldRequired(child(path, "url"), untilNames("URL is required")));
  else addUrlErrors(errors, url, child(path, "url"), rules.disallowedIssuers);
  if (discoveryUrl !== "") addDiscoveryUrlErrors(errors, issuer, child(path, "discoveryURL"));
  addAudiencesErrors(errors, issuer, path, rules.gates);
  addAuthorityErrors(errors, issuer.certificateAuthority, child(path, "certificateAuthority"));
  addEgressErrors(errors, issuer.egressSelectorType, child(path, "egressSelectorType"), rules.gates);
}

function addDiscoveryUrlErrors(
  errors: Findings,
  { url, discoveryUrl }: IssuerConfiguration,
  path: string,
): void {
  if (url !== "" && withoutSlashes(url) === withoutSlashes(discoveryUrl)) {
    errors.push(fieldInvalid(path, discoveryUrl, "discoveryURL must be different from URL"));
  }
  addUrlErrors(errors, discoveryUrl, path, []);
}

function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}

function addUrlErrors(errors: Findings, url: string, path: string, disallowed: readonly string[]): void {
  if (disallowed.includes(url)) {
    const list = `[${[...new Set(disallowed)].sort().join(" ")}]`;
    errors.push(fieldInvalid(path, url, `URL must not overlap with disallowed issuers: ${list}`));
  }
  try {
    const { scheme, user, query, fragment } = parseGoUrl(url);
    if (scheme !== "https") errors.push(fieldInvalid(path, url, "URL scheme must be https"));
    if (user !== undefined)
      errors.push(fieldInvalid(path, url, "URL must not contain a username or password"));
    if (query !== "") errors.push(fieldInvalid(path, url, "URL must not contain a query"));
    if (fragment !== "") errors.push(fieldInvalid(path, url, "URL must not contain a fragment"));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    errors.push(fieldInvalid(path, url, error.message));
  }
}

function addAudiencesErrors(
  errors: Findings,
  { audiences, audienceMatchPolicy: policy }: IssuerConfiguration,
  issuerPath: string,
  { since }: FeatureGates,
): void {
  const path = child(issuerPath, "audiences");
  const policyPath = child(issuerPath, "audienceMatchPolicy");
  if (audiences.length === 0) {
    errors.push(fieldRequired(path, `at least one ${path} is required`));
    return;
  }
  if (audiences.length > 1 && !since("1.30")) {
    errors.push(fieldTooMany(path, audiences.length, 1));
    return;
  }
  const seen = new Set<string>();
  for (const [at, audience] of audiences.entries()) {
    if (audience === "") errors.push(fieldRequired(index(path, at), untilNames("audience can't be empty")));
    if (seen.has(audience)) errors.push(fieldDuplicate(index(path, at), audience));
    seen.add(audience);
  }
  if (policy === "MatchAny") return;
  if (audiences.length > 1) {
    const detail = "audienceMatchPolicy must be MatchAny for multiple audiences";
    errors.push(fieldInvalid(policyPath, policy, detail));
  } else if (policy !== "") {
    const detail = "audienceMatchPolicy must be empty or MatchAny for single audience";
    errors.push(fieldInvalid(policyPath, policy, detail));
  }
}

function addAuthorityErrors(errors: Findings, pem: string, path: string): void {
  if (pem === "") return;
  const problem = authorityProblem(pem);
  if (problem !== undefined) errors.push(fieldInvalid(path, "<omitted>", problem));
}

/** Why a text holds no authorities (client-go, util/cert/pem.go). */
function authorityProblem(pem: string): string | undefined {
  const blocks = pemBlocks(pem).filter(({ label, hasHeaders }) => label === "CERTIFICATE" && !hasHeaders);
  if (blocks.length === 0) return "data does not contain any valid RSA or ECDSA certificates";
  try {
    for (const { bytes } of blocks) parseCertificate(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return `x509: malformed certificate: ${error.message}`;
    throw error;
  }
}

function addEgressErrors(errors: Findings, type: string, path: string, gates: FeatureGates): void {
  if (type === "") return;
  const gate = "StructuredAuthenticationConfigurationEgressSelector";
  if (!gates.isEnabled(gate)) {
    const detail = `egress selector is not supported when ${gate} feature gate is disabled`;
    errors.push(fieldInvalid(path, type, detail));
  }
  if (type !== "controlplane" && type !== "cluster") {
    errors.push(fieldInvalid(path, type, "egress selector must be either controlplane or cluster"));
  }
}
