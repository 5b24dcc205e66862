import {
  type DerElement,
  derContent,
  derElements,
  derTags,
  dottedIdentifier,
} from "../../../apimachinery/der.ts";
import { pemBlocks } from "../../../apimachinery/pem.ts";
import { isSignedBy } from "../../../apimachinery/x509/verify-certificate.ts";

/** The parts of a PKCS #10 request that a signer copies into the certificate, in DER. */
export interface SignableRequest {
  readonly subject: Uint8Array;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  /** A SEQUENCE of general names; undefined without any. */
  readonly alternativeNames: Uint8Array | undefined;
}

const extensionRequestId = "1.2.840.113549.1.9.14";
const alternativeNamesId = "2.5.29.17";

/**
 * The request of a CertificateSigningRequest, which is base64 of PEM. SEQUENCE { SEQUENCE { version, subject, key, [0]
 * attributes }, algorithm, signature }; the signature proves that the requester has the key.
 * @throws {RangeError} for a request that cannot be read or has a wrong signature
 */
export async function signableRequest(base64: string): Promise<SignableRequest> {
  const block = pemBlocks(atob(base64)).find(({ label }) => label === "CERTIFICATE REQUEST");
  const [request] = derElements(block?.bytes ?? new Uint8Array());
  const [info, algorithm, signature] = derElements(derContent(request, derTags.sequence));
  const [, subject, publicKey, attributes] = derElements(derContent(info, derTags.sequence));
  const [id] = derElements(derContent(algorithm, derTags.sequence));
  if (info === undefined || subject === undefined || publicKey === undefined) {
    throw new RangeError("request is cut off");
  }
  const signed = {
    content: info.raw,
    signatureAlgorithm: dottedIdentifier(derContent(id, derTags.objectIdentifier)),
    signature: derContent(signature, derTags.bitString).subarray(1),
  };
  if (!(await isSignedBy(signed, { publicKey: publicKey.raw }))) {
    throw new RangeError("request has a wrong signature");
  }
  return { subject: subject.raw, publicKey: publicKey.raw, alternativeNames: alternativeNamesOf(attributes) };
}

/** Attributes are SEQUENCE { id, SET { SEQUENCE of extensions } }, extensions are SEQUENCE { id, critical, value }. */
function alternativeNamesOf(attributes: DerElement | undefined): Uint8Array | undefined {
  const [set] = valuesOf(derElements(attributes?.content ?? new Uint8Array()), extensionRequestId);
  const [extensions] = set === undefined ? [] : derElements(set);
  if (extensions === undefined) return undefined;
  return valuesOf(derElements(derContent(extensions, derTags.sequence)), alternativeNamesId)[0];
}

/** The content of the last element of each SEQUENCE that starts with the identifier. */
function valuesOf(items: readonly DerElement[], wanted: string): readonly Uint8Array[] {
  return items.flatMap((item) => {
    const parts = derElements(derContent(item, derTags.sequence));
    const id = dottedIdentifier(derContent(parts[0], derTags.objectIdentifier));
    const value = parts.at(-1)?.content;
    return id === wanted && value !== undefined ? [value] : [];
  });
}
