/** What a PKCS #10 request says of its subject; names beside the common one are counted only. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: number;
  readonly ipAddresses: number;
  readonly emailAddresses: number;
  readonly uris: number;
}

const label = "CERTIFICATE REQUEST";

/** DER tags, and object identifiers in hexadecimal. */
const objectIdentifier = 0x06;
const octetString = 0x04;
const sequence = 0x30;
const set = 0x31;
const attributes = 0xa0;
const organizationId = "55040a";
const commonNameId = "550403";
const extensionRequestId = "2a864886f70d01090e";
const subjectAltNameId = "551d11";
const generalNames = { emailAddresses: 0x81, dnsNames: 0x82, uris: 0x86, ipAddresses: 0x87 };

/** Reads a base64 text that holds a request in PEM; undefined when it does not. */
export function parseCertificateRequest(base64: string): CertificateRequest | undefined {
  try {
    const der = derOfPem(atob(base64));
    return der && readRequest(der);
  } catch {
    return undefined;
  }
}

function derOfPem(pem: string): Uint8Array | undefined {
  const begin = `-----BEGIN ${label}-----`;
  const start = pem.indexOf("-----BEGIN ");
  if (!pem.startsWith(begin, start)) return undefined;
  const end = pem.indexOf(`-----END ${label}-----`, start);
  if (start < 0 || end < 0) return undefined;
  const body = atob(pem.slice(start + begin.length, end));
  return Uint8Array.from(body, (character) => character.charCodeAt(0));
}

interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** SEQUENCE { SEQUENCE { version, subject, key, [0] attributes }, algorithm, signature } */
function readRequest(der: Uint8Array): CertificateRequest {
  const [request] = elements(der);
  const [info] = elements(contentOf(request, sequence));
  const [, subject, , asked] = elements(contentOf(info, sequence));
  const names = relativeNames(contentOf(subject, sequence));
  const textsOf = (id: string) => names.filter((name) => name.id === id).map(({ text }) => text);
  const altNames = asked === undefined ? [] : subjectAltNames(contentOf(asked, attributes));
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
  return elements(name)
    .flatMap((relative) => elements(contentOf(relative, set)))
    .map((attribute) => {
      const [id, value] = elements(contentOf(attribute, sequence));
      const text = new TextDecoder().decode(value?.content);
      return { id: hex(contentOf(id, objectIdentifier)), text };
    });
}

/** Attributes are SEQUENCE { id, SET { SEQUENCE of extensions } }; an extension ends with its value in an OCTET STRING. */
function subjectAltNames(asked: Uint8Array): readonly DerElement[] {
  return valuesOf(asked, extensionRequestId, set)
    .flatMap((extensions) => valuesOf(contentOf(extensions, sequence), subjectAltNameId, octetString))
    .flatMap((names) => elements(contentOf(names, sequence)));
}

/** What stands in the last element of each SEQUENCE that begins with this identifier. */
function valuesOf(content: Uint8Array, wanted: string, tag: number): readonly DerElement[] {
  return elements(content).flatMap((item) => {
    const parts = elements(contentOf(item, sequence));
    if (hex(contentOf(parts[0], objectIdentifier)) !== wanted) return [];
    return elements(contentOf(parts.at(-1), tag));
  });
}

function contentOf(element: DerElement | undefined, tag: number): Uint8Array {
  if (element?.tag !== tag) throw new Error(`no DER element of tag ${tag}`);
  return element.content;
}

function elements(bytes: Uint8Array): DerElement[] {
  const found: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1] ?? 0;
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    const start = at + 2 + lengthBytes;
    const length = lengthBytes === 0 ? first : Number.parseInt(hex(bytes.subarray(at + 2, start)), 16);
    if (!(start + length <= bytes.length)) throw new Error("DER element is cut off");
    found.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return found;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
