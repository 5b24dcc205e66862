import type { JsonValue } from "../../../apimachinery/json.ts";
import { isJsonObject } from "../../../apimachinery/json.ts";

/** No vowels, so that no words appear (apimachinery, pkg/util/rand). */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/**
 * A hash of a value for names and labels. Upstream hashes what Go prints of its structs, which depends on the release; this hash has the same
 * form, and is equal for equal values. `collisions` gives another hash for the same value. Upstream: `ComputeHash`
 * (pkg/controller/controller_utils.go).
 */
export function encodedHash(value: JsonValue, collisions: number | undefined): string {
  const text = canonicalText(value) + (collisions === undefined ? "" : `#${collisions}`);
  return safeEncoded(String(fnv32a(new TextEncoder().encode(text))));
}

/** Text in characters that are safe in names. Upstream: `rand.SafeEncodeString`. */
export function safeEncoded(text: string): string {
  return [...text].map((char) => alphabet[char.charCodeAt(0) % alphabet.length] ?? "").join("");
}

/** The hash FNV-1a with 32 bits. */
export function fnv32a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** The hash FNV-1 with 32 bits. */
export function fnv32(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}

/** The JSON of a value with its keys in order. */
export function canonicalText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isJsonObject(value)) return typeof value === "bigint" ? String(value) : JSON.stringify(value);
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`);
  return `{${fields.join()}}`;
}
