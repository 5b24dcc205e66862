import { DecodeError } from "../../apimachinery/decode-error.ts";
import { formatTime, parseTime } from "../../apimachinery/time.ts";
import { tags } from "./cbor-head.ts";

/** Bytes as the text that their tag asks for. */
export function laterText(bytes: Uint8Array, tag: number): string {
  if (tag === tags.laterBase16) return hex(bytes);
  const text = base64(bytes);
  return tag === tags.laterBase64 ? text : text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The bytes of base64 in canonical form. */
export function bytesOfBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** A time in RFC 3339 without the zeros that end a fraction of a second. */
export function normalTimeText(text: string): string {
  parseTime(text);
  return text.replace(/[.,](\d*?)0*(?=[Z+-])/, (_all, digits: string) => (digits === "" ? "" : `.${digits}`));
}

/** Seconds since the epoch as a time in RFC 3339. */
export function epochTimeText(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < -62_167_219_200 || whole > 253_402_300_799) {
    const message = "Time.MarshalText: year outside of range [0,9999]";
    throw new DecodeError(
      `cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: ${message}`,
    );
  }
  const nanoseconds = String(Math.trunc((seconds - whole) * 1e9)).padStart(9, "0");
  return normalTimeText(formatTime(whole * 1_000).replace("Z", `.${nanoseconds}Z`));
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
