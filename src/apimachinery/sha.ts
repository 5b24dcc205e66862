import { sha256 as sha256Of, sha512 as sha512Of } from "@noble/hashes/sha2.js";

const utf8 = new TextEncoder();

/** The SHA-256 of a text in UTF-8. Unlike WebCrypto, it is synchronous. */
export function sha256(text: string): Uint8Array {
  return sha256Of(utf8.encode(text));
}

/**
 * The SHA-512 of bytes or of a text in UTF-8, in upper-case hexadecimal: the ETag of discovery and OpenAPI documents.
 */
export function sha512Hex(content: string | Uint8Array): string {
  const digest = sha512Of(typeof content === "string" ? utf8.encode(content) : content);
  let hex = "";
  for (const byte of digest) hex += byte.toString(16).padStart(2, "0");
  return hex.toUpperCase();
}
