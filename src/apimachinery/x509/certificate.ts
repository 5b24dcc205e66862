import { type DerElement, derContent, derElements, derTags, dottedIdentifier, hexadecimal } from "../der.ts";
import { pemBlocks } from "../pem.ts";
import { extendedUsages } from "./certificate-extensions.ts";

/** The parts of an X.509 certificate that its verification needs. */
export interface Certificate {
  /** What is signed. */
  readonly content: Uint8Array;
  /** Object identifiers, dotted. */
  readonly signatureAlgorithm: string;
  readonly signature: Uint8Array;
  /** Hexadecimal. */
  readonly serialNumber: string;
  /** The names in DER, in hexadecimal. */
  readonly issuer: string;
  readonly subject: string;
  readonly attributes: readonly SubjectAttribute[];
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
  readonly isAuthority: boolean;
  /** The bits of the extension, the first byte; undefined without it. */
  readonly keyUsage: number | undefined;
  /** Object identifiers; empty without the extension. */
  readonly extendedUsages: readonly string[];
  /** Hexadecimal; empty without the extension. */
  readonly subjectKeyId: string;
  readonly authorityKeyId: string;
}

/** An attribute of a name: the dotted object identifier of its type, and its text. */
export interface SubjectAttribute {
  readonly id: string;
  readonly text: string;
}

/** The certificates of a text in PEM. @throws {RangeError} for one that is no X.509 certificate */
export function certificatesOfPem(text: string): readonly Certificate[] {
  return pemBlocks(text)
    .filter(({ label, hasHeaders }) => label === "CERTIFICATE" && !hasHeaders)
    .map(({ bytes }) => parseCertificate(bytes));
}

/** SEQUENCE { content, algorithm, signature }. @throws {RangeError} for bytes that are no X.509 certificate */
export function parseCertificate(der: Uint8Array): Certificate {
  const [whole, ...rest] = derElements(der);
  if (rest.length > 0) throw new RangeError("bytes after the certificate");
  const [content, algorithm, signature] = derElements(derContent(whole, derTags.sequence));
  const parts = derElements(derContent(content, derTags.sequence));
  // The version is absent in version 1.
  if (parts[0]?.tag === 0xa0) parts.shift();
  const [serial, inner, issuer, validity, subject, publicKey, ...optional] = parts;
  const [notBefore, notAfter] = derElements(derContent(validity, derTags.sequence));
  const extensions = extensionsOf(optional.find(({ tag }) => tag === 0xa3));
  derContent(publicKey, derTags.sequence);
  if (content === undefined || inner === undefined || publicKey === undefined || issuer === undefined) {
    throw new RangeError("certificate is cut off");
  }
  return {
    content: content.raw,
    signatureAlgorithm: algorithmOf(algorithm),
    signature: derContent(signature, derTags.bitString).subarray(1),
    serialNumber: hexadecimal(derContent(serial, derTags.integer)),
    issuer: hexadecimal(issuer.raw),
    subject: hexadecimal(subject?.raw ?? new Uint8Array()),
    attributes: attributesOf(derContent(subject, derTags.sequence)),
    notBefore: timeOf(notBefore),
    notAfter: timeOf(notAfter),
    publicKey: publicKey.raw,
    ...usageOf(extensions),
  };
}

/** Algorithms are SEQUENCE { id, parameters }. */
function algorithmOf(algorithm: DerElement | undefined): string {
  const [id] = derElements(derContent(algorithm, derTags.sequence));
  return dottedIdentifier(derContent(id, derTags.objectIdentifier));
}

/** A name is a SEQUENCE of SETs of SEQUENCE { id, text }. */
function attributesOf(name: Uint8Array): readonly SubjectAttribute[] {
  return derElements(name)
    .flatMap((relative) => derElements(derContent(relative, derTags.set)))
    .map((attribute) => {
      const [id, value] = derElements(derContent(attribute, derTags.sequence));
      return {
        id: dottedIdentifier(derContent(id, derTags.objectIdentifier)),
        text: new TextDecoder().decode(value?.content),
      };
    });
}

/** UTCTime has two digits for the year, from 1950 to 2049; GeneralizedTime has four. */
function timeOf(element: DerElement | undefined): number {
  const digits = new TextDecoder().decode(element?.content);
  const full = element?.tag === 0x17 ? `${digits < "50" ? "20" : "19"}${digits}` : digits;
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(time)) throw new RangeError("no time in a certificate");
  return time;
}

/** The values of extensions by dotted object identifier, from [3] { SEQUENCE of SEQUENCE { id, critical, value } }. */
function extensionsOf(element: DerElement | undefined): ReadonlyMap<string, Uint8Array> {
  if (element === undefined) return new Map();
  const [list] = derElements(element.content);
  return new Map(
    derElements(derContent(list, derTags.sequence)).map((extension) => {
      const parts = derElements(derContent(extension, derTags.sequence));
      const id = dottedIdentifier(derContent(parts[0], derTags.objectIdentifier));
      return [id, derContent(parts.at(-1), derTags.octetString)];
    }),
  );
}

type Usage = Pick<
  Certificate,
  "isAuthority" | "keyUsage" | "extendedUsages" | "subjectKeyId" | "authorityKeyId"
>;

function usageOf(extensions: ReadonlyMap<string, Uint8Array>): Usage {
  const elementsOf = (id: string): readonly DerElement[] =>
    derElements(extensions.get(id) ?? new Uint8Array());
  const inSequence = (id: string): readonly DerElement[] => {
    const [list] = elementsOf(id);
    return list === undefined ? [] : derElements(derContent(list, derTags.sequence));
  };
  const [constraint] = inSequence("2.5.29.19");
  const [usage] = elementsOf("2.5.29.15");
  const [subjectKey] = elementsOf("2.5.29.14");
  const authorityKey = inSequence("2.5.29.35").find(({ tag }) => tag === 0x80);
  return {
    isAuthority: constraint?.tag === 0x01 && constraint.content[0] === 0xff,
    keyUsage: usage?.content[1],
    extendedUsages: inSequence("2.5.29.37").map((id) =>
      dottedIdentifier(derContent(id, derTags.objectIdentifier)),
    ),
    subjectKeyId: hexadecimal(subjectKey?.content ?? new Uint8Array()),
    authorityKeyId: hexadecimal(authorityKey?.content ?? new Uint8Array()),
  };
}

/** Whether a certificate may be used for a purpose, such as "client auth". Without extended usages it may be for any. */
export function isUsableFor(certificate: Certificate, usage: string): boolean {
  const { extendedUsages: given } = certificate;
  const wanted = extendedUsages.get(usage) ?? "";
  return given.length === 0 || given.includes(wanted) || given.includes(extendedUsages.get("any") ?? "");
}
