import { derSequence, derValue } from "../../apimachinery/der-writer.ts";
import {
  authorityKeyIdentifier,
  basicConstraints,
  keyUsage,
  keyUsageBits,
  subjectKeyIdentifier,
} from "../../apimachinery/x509/certificate-extensions.ts";
import {
  distinguishedName,
  signedCertificate,
  unsignedCertificate,
} from "../../apimachinery/x509/certificate-writer.ts";
import type { CertificateTemplate } from "../contract/certificate-authority.ts";

/** The key of an authority, and its own certificate. */
export interface CertificateIssuer {
  readonly pem: string;
  readonly issue: (template: CertificateTemplate) => Promise<string>;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256" } as const;
const signature = { name: "ECDSA", hash: "SHA-256" } as const;

/** The whole century, so that no clock of a test makes it expire. */
const lifetime = { notBefore: Date.UTC(2000), notAfter: Date.UTC(2100) - 1000 };

/** Generates a key, and signs its certificate with it. */
export async function createIssuer(): Promise<CertificateIssuer> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const publicKey = new Uint8Array(await crypto.subtle.exportKey("spki", keys.publicKey));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", publicKey));
  const identifier = digest.subarray(0, 20);
  const suffix = Array.from(digest.subarray(20, 24), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const issuer = distinguishedName({ commonName: `kubedouble-client-ca@${suffix}` });
  const sign = async (template: CertificateTemplate): Promise<string> => {
    const content = unsignedCertificate({ issuer, ...template });
    const joined = await crypto.subtle.sign(signature, keys.privateKey, Uint8Array.from(content));
    return signedCertificate(content, derSignature(new Uint8Array(joined)));
  };
  const usages = keyUsageBits["digital signature"] | keyUsageBits["cert sign"] | keyUsageBits["crl sign"];
  const own = [basicConstraints("authority"), keyUsage(usages), subjectKeyIdentifier(identifier)];
  return {
    pem: await sign({ subject: issuer, publicKey, extensions: own, ...lifetime }),
    issue: (template) =>
      sign({ ...template, extensions: [...template.extensions, authorityKeyIdentifier(identifier)] }),
  };
}

/** WebCrypto joins the two numbers of a signature; certificates have them in a SEQUENCE. */
function derSignature(joined: Uint8Array): Uint8Array {
  const half = joined.byteLength / 2;
  return derSequence(derInteger(joined.subarray(0, half)), derInteger(joined.subarray(half)));
}

/** A positive integer: without leading zeros, except for one before a set first bit. */
function derInteger(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = bytes.subarray(first);
  const isNegative = ((digits[0] ?? 0) & 0x80) !== 0;
  return derValue("integer", isNegative ? Uint8Array.of(0) : new Uint8Array(), digits);
}
