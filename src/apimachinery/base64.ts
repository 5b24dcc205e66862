import { DecodeError } from "./decode-error.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Padded base64 without line breaks. */
const PADDED = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Decodes standard base64 as Go does and encodes it again: without line breaks, with the unused bits cleared.
 * @throws {DecodeError} `illegal base64 data at input byte 4`
 */
export function canonicalBase64(text: string): string {
  if (text.length % 4 !== 0 || !PADDED.test(text)) return clearUnusedBits(withoutLineBreaks(text));
  return clearUnusedBits(text);
}

/** Whether Go decodes a text as standard base64. */
export function isBase64(text: string): boolean {
  try {
    canonicalBase64(text);
    return true;
  } catch {
    return false;
  }
}

/** The bytes of standard base64, as Go decodes it. @throws {DecodeError} as `canonicalBase64` does */
export function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(canonicalBase64(text)), (character) => character.charCodeAt(0));
}

/** Encodes bytes in standard base64. */
export function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The text without line breaks, if every group of four characters is valid. */
function withoutLineBreaks(text: string): string {
  let plain = "";
  let quantum = "";
  let at = skipLineBreaks(text, 0);
  for (; at < text.length; at = skipLineBreaks(text, at + 1)) {
    const character = text.charAt(at);
    if (character === "=") return plain + quantum + padding(text, at, quantum.length);
    if (!ALPHABET.includes(character)) throw illegal(at);
    quantum += character;
    if (quantum.length < 4) continue;
    plain += quantum;
    quantum = "";
  }
  if (quantum !== "") throw illegal(at - quantum.length);
  return plain;
}

/** The padding that starts at `at`, after `characters` characters of the last group. Only line breaks may follow it. */
function padding(text: string, at: number, characters: number): string {
  if (characters < 2) throw illegal(at);
  let next = skipLineBreaks(text, at + 1);
  if (characters === 2) {
    if (next === text.length) throw illegal(text.length);
    if (text[next] !== "=") throw illegal(next - 1);
    next = skipLineBreaks(text, next + 1);
  }
  if (next < text.length) throw illegal(next);
  return characters === 2 ? "==" : "=";
}

function skipLineBreaks(text: string, from: number): number {
  let at = from;
  while (text[at] === "\n" || text[at] === "\r") at++;
  return at;
}

/** Clears the bits of the last character that do not belong to a byte. */
function clearUnusedBits(text: string): string {
  if (!text.endsWith("=")) return text;
  const unused = text.endsWith("==") ? 4 : 2;
  const last = text.indexOf("=") - 1;
  const bits = ALPHABET.indexOf(text.charAt(last));
  const cleared = (bits >> unused) << unused;
  return cleared === bits ? text : text.slice(0, last) + ALPHABET.charAt(cleared) + text.slice(last + 1);
}

function illegal(position: number): DecodeError {
  return new DecodeError(`illegal base64 data at input byte ${position}`);
}
