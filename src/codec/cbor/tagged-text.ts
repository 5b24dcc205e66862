import { DecodeError } from "../../apimachinery/decode-error.ts";
import { goTrimRight } from "../../apimachinery/go-trim.ts";
import { formatTime, parseTime } from "../../apimachinery/time.ts";
import { tags } from "./cbor-head.ts";

/** Bytes in the text encoding of their tag. */
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

/** A time in RFC 3339 without trailing zeros in the fraction of a second. */
export function trimmedTimeText(text: string): string {
  checkTime(text);
  return text.replace(/[.,](\d+)(?=[Z+-])/, (_all, fraction: string) => {
    const digits = goTrimRight(fraction, "0");
    return digits === "" ? "" : `.${digits}`;
  });
}

function checkTime(text: string): void {
  try {
    parseTime(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(`cbor: cannot set ${text} for time.Time: ${error.message}`);
  }
}

/** Seconds since the epoch as a time in RFC 3339. Fractions of a nanosecond are truncated towards the epoch. */
export function epochTimeText(seconds: number): string {
  const whole = Math.trunc(seconds);
  const rest = Math.trunc((seconds - whole) * 1e9);
  const [second, nanosecond] = rest < 0 ? [whole - 1, rest + 1e9] : [whole, rest];
  if (second < -62_167_219_200 || second > 253_402_300_799) {
    const message = "Time.MarshalText: year outside of range [0,9999]";
    throw new DecodeError(
      `cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: ${message}`,
    );
  }
  const fraction = String(nanosecond).padStart(9, "0");
  return trimmedTimeText(formatTime(second * 1_000).replace("Z", `.${fraction}Z`));
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
