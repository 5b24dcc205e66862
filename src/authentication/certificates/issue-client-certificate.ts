import {
  basicConstraints,
  extendedKeyUsage,
  extendedUsages,
  keyUsage,
  keyUsageBits,
} from "../../apimachinery/x509/certificate-extensions.ts";
import { distinguishedName, formatPem, type Subject } from "../../apimachinery/x509/certificate-writer.ts";
import type { CertificateAuthority } from "../contract/certificate-authority.ts";

/** A certificate and its private key, both PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** How long before its time a certificate is valid, for clients whose clock is late. Upstream's signers: five minutes. */
const backdateMilliseconds = 5 * 60 * 1000;

/** A certificate with a new key that authenticates as this user. Times are in milliseconds. */
export async function issueClientCertificate(
  authority: CertificateAuthority,
  subject: Subject,
  { now, lifetime }: { readonly now: number; readonly lifetime: number },
): Promise<ClientCertificate> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.exportKey("pkcs8", keys.privateKey),
    crypto.subtle.exportKey("spki", keys.publicKey),
  ]);
  const certificate = await authority.issue({
    subject: distinguishedName(subject),
    publicKey: new Uint8Array(publicKey),
    extensions: [
      basicConstraints("leaf"),
      keyUsage(keyUsageBits["digital signature"]),
      extendedKeyUsage([extendedUsages.get("client auth") ?? ""]),
    ],
    notBefore: now - backdateMilliseconds,
    notAfter: now + lifetime,
  });
  return { certificate, key: formatPem("PRIVATE KEY", new Uint8Array(privateKey)) };
}
