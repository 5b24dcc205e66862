import { derContent, derElements, derTags, dottedIdentifier, hexadecimal } from "../der.ts";
import { type Certificate, isUsableFor } from "./certificate.ts";
import { keyUsageBits } from "./certificate-extensions.ts";

/** Longer chains are not searched. */
const longestChain = 10;

/** The certificates that verify others. */
export interface Trust {
  /** The authorities that are trusted. */
  readonly roots: readonly Certificate[];
  /** What the peer sent besides its certificate. */
  readonly intermediates: readonly Certificate[];
  /** What the certificate is for, such as "client auth". */
  readonly usage: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Why a certificate is not valid now, as Go's `crypto/x509` says it; undefined if it is. Each certificate of its chain must
 * be signed by the next, be valid now and be allowed for the usage, and the last one must be signed by a trusted authority.
 */
export async function certificateProblem(leaf: Certificate, trust: Trust): Promise<string | undefined> {
  const problem = ownProblem(leaf, trust);
  if (problem !== undefined) return problem;
  if (await hasTrustedIssuer(leaf, trust, [leaf])) {
    return isUsableFor(leaf, trust.usage)
      ? undefined
      : "x509: certificate specifies an incompatible key usage";
  }
  return "x509: certificate signed by unknown authority";
}

/** Goes from issuer to issuer. Issuers that are expired, no authorities, or for other usages do not count. */
async function hasTrustedIssuer(
  certificate: Certificate,
  trust: Trust,
  chain: readonly Certificate[],
): Promise<boolean> {
  const { roots, intermediates, usage } = trust;
  const isIssuer = (candidate: Certificate) =>
    candidate.subject === certificate.issuer && ownProblem(candidate, trust) === undefined;
  for (const root of roots.filter(isIssuer)) {
    if (maySign(root) && (await isSignedBy(certificate, root))) return true;
  }
  if (chain.length >= longestChain) return false;
  for (const next of intermediates.filter(isIssuer)) {
    if (chain.includes(next) || !maySign(next) || !isUsableFor(next, usage)) continue;
    if (!(await isSignedBy(certificate, next))) continue;
    if (await hasTrustedIssuer(next, trust, [...chain, next])) return true;
  }
  return false;
}

function ownProblem({ notBefore, notAfter }: Certificate, { now }: Trust): string | undefined {
  const expired = "x509: certificate has expired or is not yet valid: current time";
  if (now < notBefore) return `${expired} ${timeText(now)} is before ${timeText(notBefore)}`;
  return now > notAfter ? `${expired} ${timeText(now)} is after ${timeText(notAfter)}` : undefined;
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+/, "");
}

function maySign({ isAuthority, keyUsage }: Certificate): boolean {
  return isAuthority && (keyUsage === undefined || (keyUsage & keyUsageBits["cert sign"]) !== 0);
}

/** The hashes of the signature algorithms that Go accepts, by object identifier. */
const rsaHashes: ReadonlyMap<string, string> = new Map([
  ["1.2.840.113549.1.1.11", "SHA-256"],
  ["1.2.840.113549.1.1.12", "SHA-384"],
  ["1.2.840.113549.1.1.13", "SHA-512"],
]);
const ecdsaHashes: ReadonlyMap<string, string> = new Map([
  ["1.2.840.10045.4.3.2", "SHA-256"],
  ["1.2.840.10045.4.3.3", "SHA-384"],
  ["1.2.840.10045.4.3.4", "SHA-512"],
]);
const ed25519Id = "1.3.101.112";

/** The curves by object identifier, with the length of a coordinate. */
const curves: ReadonlyMap<string, { readonly namedCurve: string; readonly bytes: number }> = new Map([
  ["1.2.840.10045.3.1.7", { namedCurve: "P-256", bytes: 32 }],
  ["1.3.132.0.34", { namedCurve: "P-384", bytes: 48 }],
  ["1.3.132.0.35", { namedCurve: "P-521", bytes: 66 }],
]);

/** Whether the signature is the issuer's; false for algorithms that are not accepted, such as those with SHA-1. */
export async function isSignedBy(
  {
    content,
    signatureAlgorithm,
    signature,
  }: Pick<Certificate, "content" | "signatureAlgorithm" | "signature">,
  { publicKey }: Pick<Certificate, "publicKey">,
): Promise<boolean> {
  try {
    const [rsa, ecdsa] = [rsaHashes.get(signatureAlgorithm), ecdsaHashes.get(signatureAlgorithm)];
    if (rsa !== undefined) {
      return await verified({ name: "RSASSA-PKCS1-v1_5", hash: rsa }, publicKey, signature, content);
    }
    if (signatureAlgorithm === ed25519Id) {
      return await verified({ name: "Ed25519" }, publicKey, signature, content);
    }
    const curve = curves.get(curveOf(publicKey));
    if (ecdsa === undefined || curve === undefined) return false;
    const algorithm = { name: "ECDSA", namedCurve: curve.namedCurve, hash: ecdsa };
    return await verified(algorithm, publicKey, joinedSignature(signature, curve.bytes), content);
  } catch (error) {
    // A key of another type, or bytes that are no signature.
    if (error instanceof RangeError || error instanceof DOMException) return false;
    throw error;
  }
}

async function verified(
  algorithm: { readonly name: string; readonly hash?: string; readonly namedCurve?: string },
  publicKey: Uint8Array,
  signature: Uint8Array,
  content: Uint8Array,
): Promise<boolean> {
  // Copies, because WebCrypto takes no views of shared memory.
  const key = await crypto.subtle.importKey("spki", Uint8Array.from(publicKey), algorithm, false, ["verify"]);
  return crypto.subtle.verify(algorithm, key, Uint8Array.from(signature), Uint8Array.from(content));
}

/** SubjectPublicKeyInfo is SEQUENCE { SEQUENCE { id, curve }, key }. */
function curveOf(publicKey: Uint8Array): string {
  const [whole] = derElements(publicKey);
  const [algorithm] = derElements(derContent(whole, derTags.sequence));
  const [, curve] = derElements(derContent(algorithm, derTags.sequence));
  return curve?.tag === derTags.objectIdentifier ? dottedIdentifier(curve.content) : "";
}

/** A signature of ECDSA in DER is SEQUENCE { r, s }; WebCrypto takes both numbers at their full length. */
function joinedSignature(der: Uint8Array, bytes: number): Uint8Array {
  const [whole] = derElements(der);
  const digits = derElements(derContent(whole, derTags.sequence)).map((number) =>
    hexadecimal(derContent(number, derTags.integer))
      .replace(/^(00)+/, "")
      .padStart(2 * bytes, "0"),
  );
  const joined = digits.join("");
  if (digits.length !== 2 || joined.length !== 4 * bytes) throw new RangeError("no signature of ECDSA");
  return Uint8Array.from({ length: 2 * bytes }, (_, at) =>
    Number.parseInt(joined.slice(2 * at, 2 * at + 2), 16),
  );
}
