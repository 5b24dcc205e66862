import type { Identifiers } from "../registry/generic/system-fields.ts";

/** What generated names end in: no vowels, no digits that look like letters, so that no word comes of it. */
const suffixCharacters = "bcdfghjklmnpqrstvwxz2456789";

/** Random uids and suffixes. */
export function randomIdentifiers(): Identifiers {
  return {
    uid: () => crypto.randomUUID(),
    suffix: (length) => suffixOf(crypto.getRandomValues(new Uint32Array(length))),
    number: (bound) => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % bound,
  };
}

/** Uids and suffixes that are the same for the same seed, for snapshots that shall not change. */
export function seededIdentifiers(seed: number): Identifiers {
  const next = randomNumbers(seed);
  return {
    uid: () => {
      const bytes = Uint8Array.from({ length: 16 }, () => next() & 0xff);
      return uuidOf(bytes);
    },
    suffix: (length) => suffixOf(Uint32Array.from({ length }, next)),
    number: (bound) => next() % bound,
  };
}

function suffixOf(numbers: Uint32Array): string {
  return Array.from(numbers, (number) => suffixCharacters[number % suffixCharacters.length]).join("");
}

/** A random UUID, version 4, of 16 bytes. */
function uuidOf(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte, at) => {
    if (at === 6) return ((byte & 0x0f) | 0x40).toString(16).padStart(2, "0");
    if (at === 8) return ((byte & 0x3f) | 0x80).toString(16).padStart(2, "0");
    return byte.toString(16).padStart(2, "0");
  }).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** 32-bit numbers from a seed: the generator called mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
