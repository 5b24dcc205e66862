import type { PeerCertificate } from "../../request/peer.ts";
import { commonNameOf, verifiedLeaf } from "../certificates/verified-leaf.ts";

/** What the certificate of a proxy must fulfill. */
export interface ProxyRequirements {
  /** PEM of the authorities. */
  readonly authorities: string;
  /** The common names; empty for any. */
  readonly allowedNames: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Why a certificate is not that of a proxy; undefined if it is. Upstream: `Verifier` in apiserver,
 * pkg/authentication/request/x509/x509.go.
 */
export async function proxyProblem(
  certificate: PeerCertificate,
  { authorities, allowedNames, now }: ProxyRequirements,
): Promise<string | undefined> {
  const { leaf, problem } = await verifiedLeaf(certificate, authorities, now);
  if (leaf === undefined || problem !== undefined) return problem;
  const name = commonNameOf(leaf);
  if (allowedNames.length === 0 || allowedNames.includes(name)) return undefined;
  return `x509: subject with cn=${name} is not in the allowed list`;
}
