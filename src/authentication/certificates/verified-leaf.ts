import {
  type Certificate,
  certificatesOfPem,
  parseCertificate,
} from "../../apimachinery/x509/certificate.ts";
import { certificateProblem } from "../../apimachinery/x509/verify-certificate.ts";
import type { PeerCertificate } from "../../request/peer.ts";

/** The certificate of a client, and why it is not valid; there is no certificate if it cannot be read. */
export type VerifiedLeaf =
  | { readonly leaf: Certificate; readonly problem: string | undefined }
  | { readonly leaf: undefined; readonly problem: string };

/** Verifies the certificate of a client by authorities in PEM. `now` is in milliseconds since the epoch. */
export async function verifiedLeaf(
  { raw, intermediates }: PeerCertificate,
  authorities: string,
  now: number,
): Promise<VerifiedLeaf> {
  let leaf: Certificate;
  let trust: Pick<Parameters<typeof certificateProblem>[1], "roots" | "intermediates">;
  try {
    leaf = parseCertificate(raw);
    trust = { roots: certificatesOfPem(authorities), intermediates: intermediates.map(parseCertificate) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { leaf: undefined, problem: `x509: malformed certificate: ${error.message}` };
  }
  return { leaf, problem: await certificateProblem(leaf, { ...trust, usage: "client auth", now }) };
}

/** The common name of a certificate, or the empty string. Of several, the last one counts, as in Go. */
export function commonNameOf({ attributes }: Certificate): string {
  return attributes.findLast(({ id }) => id === "2.5.4.3")?.text ?? "";
}
