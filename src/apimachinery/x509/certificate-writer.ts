import { contextual, derSequence, derValue, objectIdentifier, utf8String } from "../der-writer.ts";

/** The algorithm of all certificates that we sign: ECDSA with SHA-256. */
const ecdsaWithSha256 = derSequence(objectIdentifier("1.2.840.10045.4.3.2"));

/** The content of a certificate. Names, the key and extensions are DER. */
export interface CertificateContent {
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Uint8Array[];
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** What the authority signs, with a random serial number. */
export function unsignedCertificate(content: CertificateContent): Uint8Array {
  const { issuer, subject, publicKey, extensions, notBefore, notAfter } = content;
  const serial = crypto.getRandomValues(new Uint8Array(16));
  // Positive, and without a leading zero byte.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  return derSequence(
    contextual(0, "constructed", derValue("integer", Uint8Array.of(2))),
    derValue("integer", serial),
    ecdsaWithSha256,
    issuer,
    derSequence(timeValue(notBefore), timeValue(notAfter)),
    subject,
    publicKey,
    contextual(3, "constructed", derSequence(...extensions)),
  );
}

/** A certificate in PEM. The signature is ECDSA with SHA-256, in DER. */
export function signedCertificate(content: Uint8Array, signature: Uint8Array): string {
  const signed = derValue("bitString", Uint8Array.of(0), signature);
  return formatPem("CERTIFICATE", derSequence(content, ecdsaWithSha256, signed));
}

/** A block of PEM. */
export function formatPem(label: string, bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const lines = btoa(binary).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** The subject that Kubernetes reads as a user. */
export interface Subject {
  readonly commonName: string;
  /** Groups. */
  readonly organizations?: readonly string[];
  /** Releases that know it read it as the uid. */
  readonly uid?: string;
}

/** The object identifier of a uid in a subject. Kubernetes reserves it for that. */
export const userUidId = "1.3.6.1.4.1.57683.2";

/** Organizations come before the common name, as is usual. */
export function distinguishedName({ commonName, organizations = [], uid = "" }: Subject): Uint8Array {
  const attribute = (id: string, value: string): Uint8Array =>
    derValue("set", derSequence(objectIdentifier(id), utf8String(value)));
  return derSequence(
    ...organizations.map((organization) => attribute("2.5.4.10", organization)),
    attribute("2.5.4.3", commonName),
    ...(uid === "" ? [] : [attribute(userUidId, uid)]),
  );
}

/** RFC 5280: two digits for the year until 2049. */
function timeValue(milliseconds: number): Uint8Array {
  const digits = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, "");
  const isShort = digits < "2050" && digits >= "1950";
  const text = new TextEncoder().encode(isShort ? digits.slice(2) : digits);
  return derValue(isShort ? "utcTime" : "generalizedTime", text);
}
