import { DecodeError } from "../apimachinery/decode-error.ts";

const foreign = /[^A-Za-z0-9_-]/;

/** Base64 for URLs, without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @throws {DecodeError} with Go's text and the position of the first invalid character */
export function decodeBase64Url(text: string): Uint8Array {
  const at = text.search(foreign);
  if (at >= 0) throw new DecodeError(`illegal base64 data at input byte ${at}`);
  if (text.length % 4 === 1) throw new DecodeError(`illegal base64 data at input byte ${text.length - 1}`);
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
