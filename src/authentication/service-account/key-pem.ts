import { derContent, derElements, derTags, hexadecimal } from "../../apimachinery/der.ts";
import { derSequence, derValue } from "../../apimachinery/der-writer.ts";
import { type PemBlock, pemBlocks } from "../../apimachinery/pem.ts";

/** A key in a form that WebCrypto can import. */
export interface KeyPem {
  readonly form: "pkcs8" | "spki";
  readonly bytes: Uint8Array;
}

const rsaEncryption = Uint8Array.of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01);
const ecPublicKey = Uint8Array.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01);
const absent = Uint8Array.of(0x05, 0x00);

/**
 * The private and public keys in PEM: PKCS #8, PKCS #1, SEC 1, SubjectPublicKeyInfo and certificates. Upstream: client-go,
 * util/keyutil. Blocks of other labels are ignored, as EC PARAMETERS.
 */
export function keysOfPem(text: string): readonly KeyPem[] {
  return pemBlocks(text).flatMap((block) => keyOf(block) ?? []);
}

/** @throws {RangeError} for bytes that are no DER */
function keyOf({ label, bytes }: PemBlock): KeyPem | undefined {
  switch (label) {
    case "PRIVATE KEY":
      return { form: "pkcs8", bytes };
    case "RSA PRIVATE KEY":
      return { form: "pkcs8", bytes: privateKeyInfo(rsaAlgorithm(), bytes) };
    case "EC PRIVATE KEY":
      return { form: "pkcs8", bytes: privateKeyInfo(curveOf(bytes), bytes) };
    case "PUBLIC KEY":
      return { form: "spki", bytes };
    case "RSA PUBLIC KEY":
      return {
        form: "spki",
        bytes: derSequence(rsaAlgorithm(), derValue("bitString", Uint8Array.of(0), bytes)),
      };
    case "CERTIFICATE":
      return { form: "spki", bytes: publicKeyOfCertificate(bytes) };
    default:
      return undefined;
  }
}

function rsaAlgorithm(): Uint8Array {
  return derSequence(derValue("objectIdentifier", rsaEncryption), absent);
}

/** ECPrivateKey is SEQUENCE { version, key, [0] curve, [1] public key }. */
function curveOf(der: Uint8Array): Uint8Array {
  const [key] = derElements(der);
  const parts = derElements(derContent(key, derTags.sequence));
  const curve = parts.find(({ tag }) => tag === 0xa0);
  return derSequence(derValue("objectIdentifier", ecPublicKey), curve?.content ?? absent);
}

/** PrivateKeyInfo of PKCS #8: SEQUENCE { version, algorithm, OCTET STRING with the key }. */
function privateKeyInfo(algorithm: Uint8Array, key: Uint8Array): Uint8Array {
  return derSequence(derValue("integer", Uint8Array.of(0)), algorithm, derValue("octetString", key));
}

/** The key follows [0] version, serial number, algorithm, issuer, validity and subject. */
function publicKeyOfCertificate(der: Uint8Array): Uint8Array {
  const [certificate] = derElements(der);
  const [content] = derElements(derContent(certificate, derTags.sequence));
  const parts = derElements(derContent(content, derTags.sequence));
  const key = parts[parts[0]?.tag === 0xa0 ? 6 : 5];
  return derSequence(derContent(key, derTags.sequence));
}

/** Whether a public or private key is of RSA, P-256, P-384 or P-521; undefined for others. */
export function algorithmOf({ form, bytes }: KeyPem): "RS256" | "ES256" | "ES384" | "ES512" | undefined {
  const [key] = derElements(bytes);
  const parts = derElements(derContent(key, derTags.sequence));
  const [id, parameters] = derElements(derContent(parts[form === "spki" ? 0 : 1], derTags.sequence));
  if (hexadecimal(derContent(id, derTags.objectIdentifier)) === hexadecimal(rsaEncryption)) return "RS256";
  if (parameters?.tag !== derTags.objectIdentifier) return undefined;
  return curves.get(hexadecimal(parameters.content));
}

const curves: ReadonlyMap<string, "ES256" | "ES384" | "ES512"> = new Map([
  ["2a8648ce3d030107", "ES256"],
  ["2b81040022", "ES384"],
  ["2b81040023", "ES512"],
]);
