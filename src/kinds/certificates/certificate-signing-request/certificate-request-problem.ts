import { derTags } from "../../../apimachinery/der.ts";
import { pemBlocks } from "../../../apimachinery/pem.ts";
import { parseCertificateRequest } from "./certificate-request.ts";

/**
 * Why a base64 text is not a PKCS #10 request in PEM, as a message of Go; undefined if it is one. The message is
 * exact for errors of the outermost element only, and the signature is not verified.
 */
export function certificateRequestProblem(base64: string): string | undefined {
  if (parseCertificateRequest(base64) !== undefined) return undefined;
  const [block] = pemBlocks(atob(base64));
  if (block?.label !== "CERTIFICATE REQUEST") return "PEM block type must be CERTIFICATE REQUEST";
  return `asn1: ${elementProblem(block.bytes)}`;
}

function elementProblem(bytes: Uint8Array): string {
  if (bytes.length === 0) return "syntax error: sequence truncated";
  const [tag = 0, first = 0] = bytes;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (bytes.length < 2 + lengthBytes) return "syntax error: truncated tag or length";
  const digits = bytes.subarray(2, 2 + lengthBytes);
  const length = lengthBytes === 0 ? first : digits.reduce((sum, digit) => sum * 256 + digit, 0);
  if (tag === derTags.sequence) return "syntax error: data truncated";
  const found = `{class:${tag >> 6} tag:${tag & 0x1f} length:${length} isCompound:${(tag & 0x20) !== 0}}`;
  const wanted =
    "{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}";
  return `structure error: tags don't match (16 vs ${found}) ${wanted} certificateRequest @${2 + lengthBytes}`;
}
