import { derContent, derElements, derTags } from "../../../apimachinery/der.ts";
import { goQuote } from "../../../apimachinery/go/go-quote.ts";
import { pemBlocks } from "../../../apimachinery/pem.ts";

const certificateLabel = "CERTIFICATE";

/**
 * Why a base64 text is not a list of certificates in PEM; undefined if it is one or is empty. Signatures are not
 * verified.
 */
export function certificateProblem(base64: string): string | undefined {
  if (base64 === "") return undefined;
  const blocks = pemBlocks(atob(base64));
  if (blocks.length === 0) return "must contain at least one CERTIFICATE PEM block";
  for (const { label, hasHeaders, bytes } of blocks) {
    if (label !== certificateLabel) {
      return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(label)}`;
    }
    if (hasHeaders) return "no PEM block headers are permitted";
    if (bytes.length === 0) return "found CERTIFICATE PEM block containing 0 certificates";
    const problem = x509Problem(bytes);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Why bytes are not an X.509 certificate. Only the outermost two elements are parsed. */
export function x509Problem(der: Uint8Array): string | undefined {
  const certificate = elementOf(der);
  if (certificate === undefined) return "x509: malformed certificate";
  return elementOf(certificate) === undefined ? "x509: malformed tbs certificate" : undefined;
}

/** The content of the SEQUENCE at the start; undefined if there is none. */
function elementOf(der: Uint8Array): Uint8Array | undefined {
  try {
    return derContent(derElements(der)[0], derTags.sequence);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
