import { type DerElement, derContent, derElements, derTags, hexadecimal } from "../../../apimachinery/der.ts";
import { pemBlocks } from "../../../apimachinery/pem.ts";

/** The subject of a PKCS #10 request, and the numbers of its alternative names. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: number;
  readonly ipAddresses: number;
  readonly emailAddresses: number;
  readonly uris: number;
}

/** The tag of the attributes of a request, and object identifiers in hexadecimal. */
const attributes = 0xa0;
const organizationId = "55040a";
const commonNameId = "550403";
const extensionRequestId = "2a864886f70d01090e";
const subjectAltNameId = "551d11";
const generalNames = { emailAddresses: 0x81, dnsNames: 0x82, uris: 0x86, ipAddresses: 0x87 };

/** Parses a base64 text with a request in PEM; undefined if that fails. */
export function parseCertificateRequest(base64: string): CertificateRequest | undefined {
  try {
    const [block] = pemBlocks(atob(base64));
    return block?.label === "CERTIFICATE REQUEST" ? readRequest(block.bytes) : undefined;
  } catch (error) {
    if (error instanceof RangeError || error instanceof DOMException) return undefined;
    throw error;
  }
}

/** SEQUENCE { SEQUENCE { version, subject, key, [0] attributes }, algorithm, signature } */
function readRequest(der: Uint8Array): CertificateRequest {
  const [request] = derElements(der);
  const [info] = derElements(derContent(request, derTags.sequence));
  const [, subject, , attributeSet] = derElements(derContent(info, derTags.sequence));
  const names = relativeNames(derContent(subject, derTags.sequence));
  const textsOf = (id: string) => names.filter((name) => name.id === id).map(({ text }) => text);
  const altNames = attributeSet === undefined ? [] : subjectAltNames(derContent(attributeSet, attributes));
  const count = (tag: number) => altNames.filter((name) => name.tag === tag).length;
  return {
    commonName: textsOf(commonNameId).at(-1) ?? "",
    organizations: textsOf(organizationId),
    dnsNames: count(generalNames.dnsNames),
    ipAddresses: count(generalNames.ipAddresses),
    emailAddresses: count(generalNames.emailAddresses),
    uris: count(generalNames.uris),
  };
}

/** A name is a SEQUENCE of SETs of SEQUENCE { id, text }. */
function relativeNames(name: Uint8Array): readonly { readonly id: string; readonly text: string }[] {
  return derElements(name)
    .flatMap((relative) => derElements(derContent(relative, derTags.set)))
    .map((attribute) => {
      const [id, value] = derElements(derContent(attribute, derTags.sequence));
      const text = new TextDecoder().decode(value?.content);
      return { id: hexadecimal(derContent(id, derTags.objectIdentifier)), text };
    });
}

/**
 * Attributes are SEQUENCE { id, SET { SEQUENCE of extensions } }. The last element of an extension is an OCTET STRING
 * with its value.
 */
function subjectAltNames(attributeSet: Uint8Array): readonly DerElement[] {
  return valuesOf(attributeSet, extensionRequestId, derTags.set)
    .flatMap((extensions) =>
      valuesOf(derContent(extensions, derTags.sequence), subjectAltNameId, derTags.octetString),
    )
    .flatMap((names) => derElements(derContent(names, derTags.sequence)));
}

/** The content of the last element of each SEQUENCE that starts with the wanted identifier. */
function valuesOf(content: Uint8Array, wanted: string, tag: number): readonly DerElement[] {
  return derElements(content).flatMap((item) => {
    const parts = derElements(derContent(item, derTags.sequence));
    if (hexadecimal(derContent(parts[0], derTags.objectIdentifier)) !== wanted) return [];
    return derElements(derContent(parts.at(-1), tag));
  });
}
