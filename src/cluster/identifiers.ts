import { RandomNumbers } from "../apimachinery/random-numbers.ts";
import type { Identifiers } from "../registry/contract/system-fields.ts";
import { randomUuids, uuidOf } from "./uuid.ts";

/** The alphabet of generated names: no vowels and no digits that look like letters, to avoid words. */
const suffixCharacters = "bcdfghjklmnpqrstvwxz2456789";

/** The identifiers that a cluster generates. */
export interface ClusterIdentifiers extends Identifiers {
  /** The id of a request, from its own sequence, so that reads do not change the ids of objects. */
  readonly auditId: () => string;
  /** A number from 0 to below 1, for jitter. */
  readonly fraction: () => number;
  /** Identifiers for a fork, which continue independently from here. */
  readonly fork: () => ClusterIdentifiers;
  /** The position in the sequence of object identifiers; 0 if they are random. */
  readonly position: () => number;
  readonly goOnFrom: (position: number) => void;
}

/** Random uids and suffixes. */
export function randomIdentifiers(): ClusterIdentifiers {
  const uuid = randomUuids();
  const next = randomWords();
  return {
    auditId: uuid,
    fraction: Math.random,
    fork: randomIdentifiers,
    position: () => 0,
    goOnFrom: () => {},
    uid: uuid,
    suffix: (length) => suffixOf(length, next),
    number: (bound) => next() % bound,
  };
}

/** Uids and suffixes that repeat for the same seed, for stable snapshots. */
export function seededIdentifiers(seed: number): ClusterIdentifiers {
  // Any other seed derived from this one.
  return identifiersFrom(new RandomNumbers(seed), new RandomNumbers(~seed));
}

function identifiersFrom(ofObjects: RandomNumbers, ofRequests: RandomNumbers): ClusterIdentifiers {
  const next = () => ofObjects.next();
  return {
    uid: () => seededUuid(ofObjects),
    suffix: (length) => suffixOf(length, next),
    number: (bound) => next() % bound,
    auditId: () => seededUuid(ofRequests),
    fraction: () => ofRequests.next() / 2 ** 32,
    fork: () => identifiersFrom(ofObjects.fork(), ofRequests.fork()),
    position: () => ofObjects.state,
    goOnFrom: (position) => {
      ofObjects.state = position;
    },
  };
}

/** Random numbers of 32 bits. They are fetched in batches, because a fetch costs as much as a GET in process. */
function randomWords(): () => number {
  const words = new Uint32Array(64);
  let at = words.length;
  return () => {
    if (at === words.length) {
      crypto.getRandomValues(words);
      at = 0;
    }
    return words[at++] ?? 0;
  };
}

function suffixOf(length: number, next: () => number): string {
  let suffix = "";
  for (let i = 0; i < length; i++) suffix += suffixCharacters[next() % suffixCharacters.length];
  return suffix;
}

function seededUuid(numbers: RandomNumbers): string {
  const bytes = new Uint8Array(16);
  for (let index = 0; index < bytes.length; index++) bytes[index] = numbers.next();
  return uuidOf(bytes);
}
