import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import {
  authorityKeyIdentifier,
  basicConstraints,
  extendedKeyUsage,
  extendedUsages,
  generalNames,
  keyUsage,
  keyUsageBits,
  subjectAlternativeNames,
  subjectKeyIdentifier,
} from "../../apimachinery/x509/certificate-extensions.ts";
import {
  distinguishedName,
  signedCertificate,
  unsignedCertificate,
} from "../../apimachinery/x509/certificate-writer.ts";

/** A certificate with its key, both PEM. */
export interface Issued {
  readonly key: string;
  readonly certificate: string;
}

/** The subject and the usage of a certificate. */
export interface CertificateRequest {
  readonly commonName: string;
  /** Default: none. */
  readonly organizations?: readonly string[];
  readonly usage: "server" | "client";
  /** Names and addresses of a server. Default: none. */
  readonly hosts?: readonly string[];
}

/** Issues certificates with a key that never leaves the process. */
export interface Authority {
  /** PEM of the certificate to trust. */
  readonly certificate: string;
  issue(request: CertificateRequest): Issued;
}

/** The names and addresses by which clients inside and outside a cluster reach its API server. */
export const apiServerHosts: readonly string[] = [
  "localhost",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  "127.0.0.1",
  "::1",
  "10.96.0.1",
];

/** The whole century: the certificates end with their process, and no wrong clock can reject them. */
const validity = { notBefore: Date.UTC(2000), notAfter: Date.UTC(2100) - 1000 };

/** A new authority with a fresh key. Its functions are synchronous, unlike those of WebCrypto, so that a port opens at once. */
export function createAuthority(): Authority {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = distinguishedName({ commonName: `kubedouble-ca@${randomBytes(8).toString("hex")}` });
  const identifier = keyIdentifier(publicKey);
  const signedBy = (subject: Uint8Array, key: KeyObject, extensions: readonly Uint8Array[]): string => {
    const content = unsignedCertificate({ issuer, subject, publicKey: spki(key), extensions, ...validity });
    return signedCertificate(content, sign("sha256", content, privateKey));
  };
  const usages = keyUsageBits["digital signature"] | keyUsageBits["cert sign"] | keyUsageBits["crl sign"];
  return {
    certificate: signedBy(issuer, publicKey, [
      basicConstraints("authority"),
      keyUsage(usages),
      subjectKeyIdentifier(identifier),
    ]),
    issue: ({ commonName, organizations = [], usage, hosts = [] }) => {
      const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const certificate = signedBy(distinguishedName({ commonName, organizations }), keys.publicKey, [
        basicConstraints("leaf"),
        keyUsage(keyUsageBits["digital signature"]),
        extendedKeyUsage([extendedUsages.get(`${usage} auth`) ?? ""]),
        subjectKeyIdentifier(keyIdentifier(keys.publicKey)),
        authorityKeyIdentifier(identifier),
        ...(hosts.length === 0 ? [] : [subjectAlternativeNames(generalNames(hosts))]),
      ]);
      return { key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(), certificate };
    },
  };
}

function spki(key: KeyObject): Uint8Array {
  return key.export({ type: "spki", format: "der" });
}

function keyIdentifier(key: KeyObject): Uint8Array {
  return createHash("sha256").update(spki(key)).digest().subarray(0, 20);
}
