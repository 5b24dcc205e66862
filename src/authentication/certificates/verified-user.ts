import { sha256 } from "@noble/hashes/sha2.js";
import { hexadecimal } from "../../apimachinery/der.ts";
import type { Certificate } from "../../apimachinery/x509/certificate.ts";
import { userUidId } from "../../apimachinery/x509/certificate-writer.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { PeerCertificate } from "../../request/peer.ts";
import { type Authentication, noOpinion, rejected } from "../contract/authenticator.ts";
import { commonNameOf, verifiedLeaf } from "./verified-leaf.ts";

const organizationId = "2.5.4.10";

/** What a certificate says, and when it expires, in milliseconds since the epoch; undefined if it cannot be read. */
export interface VerifiedUser {
  readonly authentication: Authentication;
  readonly notAfter: number | undefined;
}

/** The user of a certificate, if these authorities, in PEM, verify it. `now` is in milliseconds since the epoch. */
export async function verifiedUser(
  certificate: PeerCertificate,
  authorities: string,
  now: number,
  gates: FeatureGates,
): Promise<VerifiedUser> {
  const { leaf, problem } = await verifiedLeaf(certificate, authorities, now);
  if (leaf === undefined) return { authentication: rejected(problem), notAfter: undefined };
  const authentication =
    problem === undefined
      ? userOf(leaf, certificate.raw, gates)
      : rejected(`verifying certificate ${identifierOf(leaf)} failed: ${problem}`);
  return { authentication, notAfter: leaf.notAfter };
}

/** Upstream: `CommonNameUserConversion`. */
function userOf(leaf: Certificate, raw: Uint8Array, gates: FeatureGates): Authentication {
  const textsOf = (id: string) =>
    leaf.attributes.filter((attribute) => attribute.id === id).map(({ text }) => text);
  const name = commonNameOf(leaf);
  if (name === "") return noOpinion;
  const uids = gates.isEnabled("AllowParsingUserUIDFromCertAuth") ? textsOf(userUidId) : [];
  if (uids.length > 1) return rejected("expected at most one UID in the subject of the certificate");
  const extra = gates.since("1.32")
    ? { "authentication.kubernetes.io/credential-id": [`X509SHA256=${hexadecimal(sha256(raw))}`] }
    : {};
  const [uid = ""] = uids;
  return { type: "authenticated", user: { name, uid, groups: textsOf(organizationId), extra } };
}

function identifierOf({ serialNumber, subjectKeyId, authorityKeyId }: Certificate): string {
  const separated = (hex: string) => (hex.toUpperCase().match(/../g) ?? []).join(":");
  const serial = BigInt(`0x${serialNumber || "0"}`);
  return `SN=${serial}, SKID=${separated(subjectKeyId)}, AKID=${separated(authorityKeyId)}`;
}
