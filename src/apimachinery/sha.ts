import { sha256 as sha256Of, sha512 as sha512Of } from "@noble/hashes/sha2.js";

const utf8 = new TextEncoder();

/** The SHA-256 of a text's UTF-8 bytes. Synchronous, which WebCrypto is not. */
export function sha256(text: string): Uint8Array {
  return sha256Of(utf8.encode(text));
}

/** The SHA-512 of bytes, or of a text's UTF-8 bytes, in upper-case hexadecimal: what discovery and OpenAPI put into ETags. */
export function sha512Hex(content: string | Uint8Array): string {
  const digest = sha512Of(typeof content === "string" ? utf8.encode(content) : content);
  let hex = "";
  for (const byte of digest) hex += byte.toString(16).padStart(2, "0");
  return hex.toUpperCase();
}
