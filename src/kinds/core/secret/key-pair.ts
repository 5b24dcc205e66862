import { derContent, derElements, derTags, hexadecimal } from "../../../apimachinery/der.ts";
import { type PemBlock, pemBlocks } from "../../../apimachinery/pem.ts";
import { x509Problem } from "../../certificates/validation/certificate-problem.ts";

const certificateLabel = "CERTIFICATE";
const keyEnding = "PRIVATE KEY";
const rsa = "2a864886f70d010101";
const ellipticCurve = "2a8648ce3d0201";

/**
 * Why a PEM certificate and key do not form a pair, in the messages of Go's `tls.X509KeyPair`; undefined if they do.
 * Keys whose public half would have to be computed are accepted.
 */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const certificates = pemBlocks(certificate);
  const keys = pemBlocks(key);
  const [leaf] = certificates.filter(({ label }) => label === certificateLabel);
  if (leaf === undefined) return missingCertificate(labelsOf(certificates));
  const secret = keys.find(({ label }) => label === keyEnding || label.endsWith(` ${keyEnding}`));
  if (secret === undefined) return missingKey(labelsOf(keys));
  return x509Problem(leaf.bytes) ?? mismatch(leaf.bytes, secret.bytes);
}

function labelsOf(blocks: readonly PemBlock[]): readonly string[] {
  return blocks.map(({ label }) => label);
}

function missingCertificate(labels: readonly string[]): string {
  if (labels.length === 0) return "tls: failed to find any PEM data in certificate input";
  if (labels.length === 1 && labels[0]?.endsWith(keyEnding)) {
    return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched";
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${labels.join(" ")}]`;
}

function missingKey(labels: readonly string[]): string {
  if (labels.length === 0) return "tls: failed to find any PEM data in key input";
  if (labels.length === 1 && labels[0] === certificateLabel) {
    return "tls: found a certificate rather than a key in the PEM for the private key";
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${labels.join(" ")}]`;
}

/** The type of a key and its public half; undefined if the bytes do not contain it. */
interface PublicHalf {
  readonly algorithm: string;
  readonly half: string | undefined;
}

function mismatch(certificate: Uint8Array, key: Uint8Array): string | undefined {
  const open = tried(() => certifiedKey(certificate));
  // Upstream has more detailed messages for a certificate without a key.
  if (open === undefined) return undefined;
  const secret = tried(() => publicHalfOf(key));
  if (secret === undefined) return "tls: failed to parse private key";
  if (open.algorithm !== secret.algorithm) return "tls: private key type does not match public key type";
  if (open.half === undefined || secret.half === undefined || open.half === secret.half) return undefined;
  return "tls: private key does not match public key";
}

function tried(read: () => PublicHalf): PublicHalf | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** SEQUENCE { SEQUENCE { [0] version, serial, algorithm, issuer, validity, subject, SEQUENCE { SEQUENCE { id }, key } } } */
function certifiedKey(der: Uint8Array): PublicHalf {
  const [certificate] = derElements(der);
  const [signed] = derElements(derContent(certificate, derTags.sequence));
  const parts = derElements(derContent(signed, derTags.sequence));
  const info = parts[parts[0]?.tag === 0xa0 ? 6 : 5];
  const [algorithm, bits] = derElements(derContent(info, derTags.sequence));
  // The first byte is the number of unused bits.
  const key = derContent(bits, derTags.bitString).subarray(1);
  return keyOf(derContent(algorithm, derTags.sequence), (id) =>
    id === rsa ? modulusOf(key, 0) : hexadecimal(key),
  );
}

/** A PKCS #8 key names its type; PKCS #1 and SEC 1 keys are recognized by their structure. */
function publicHalfOf(der: Uint8Array): PublicHalf {
  const [key] = derElements(der);
  const [version, second, third] = derElements(derContent(key, derTags.sequence));
  derContent(version, derTags.integer);
  if (second?.tag === derTags.integer) return { algorithm: rsa, half: modulusOf(der, 1) };
  if (second?.tag === derTags.octetString) return { algorithm: ellipticCurve, half: pointOf(der) };
  const inner = derContent(third, derTags.octetString);
  return keyOf(derContent(second, derTags.sequence), (id) => {
    if (id === rsa) return modulusOf(inner, 1);
    return id === ellipticCurve ? pointOf(inner) : undefined;
  });
}

function keyOf(algorithm: Uint8Array, halfOf: (id: string) => string | undefined): PublicHalf {
  const id = hexadecimal(derContent(derElements(algorithm)[0], derTags.objectIdentifier));
  return { algorithm: id, half: halfOf(id) };
}

/** The modulus at a position of an RSA key. */
function modulusOf(der: Uint8Array, at: number): string {
  const [key] = derElements(der);
  return hexadecimal(derContent(derElements(derContent(key, derTags.sequence))[at], derTags.integer));
}

/** The optional public point of an elliptic curve key: [1] BIT STRING. */
function pointOf(der: Uint8Array): string | undefined {
  const [key] = derElements(der);
  const point = derElements(derContent(key, derTags.sequence)).find(({ tag }) => tag === 0xa1);
  if (point === undefined) return undefined;
  return hexadecimal(derContent(derElements(point.content)[0], derTags.bitString).subarray(1));
}
