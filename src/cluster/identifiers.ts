import { RandomNumbers } from "../apimachinery/random-numbers.ts";
import type { Identifiers } from "../registry/contract/system-fields.ts";
import { randomUuid, uuidOf } from "./uuid.ts";

/** What generated names end in: no vowels, no digits that look like letters, so that no word comes of it. */
const suffixCharacters = "bcdfghjklmnpqrstvwxz2456789";

/** What a cluster calls what it makes. */
export interface ClusterIdentifiers extends Identifiers {
  /** The id of a request: of a sequence of its own, so that what is read does not change what is made. */
  readonly auditId: () => string;
  /** From 0 to below 1, for what shall not happen to all at the same time. */
  readonly fraction: () => number;
  /** The same for another cluster, which goes on from here by itself. */
  readonly fork: () => ClusterIdentifiers;
  /** Where those for objects stand, to go on from there again: what is random stands nowhere. */
  readonly position: () => number;
  readonly goOnFrom: (position: number) => void;
}

/** Random uids and suffixes. */
export function randomIdentifiers(): ClusterIdentifiers {
  return {
    auditId: randomUuid,
    fraction: Math.random,
    fork: randomIdentifiers,
    position: () => 0,
    goOnFrom: () => {},
    uid: randomUuid,
    suffix: (length) => suffixOf(crypto.getRandomValues(new Uint32Array(length))),
    number: (bound) => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % bound,
  };
}

/** Uids and suffixes that are the same for the same seed, for snapshots that shall not change. */
export function seededIdentifiers(seed: number): ClusterIdentifiers {
  // Any other seed that comes of this one.
  return identifiersFrom(new RandomNumbers(seed), new RandomNumbers(~seed));
}

function identifiersFrom(ofObjects: RandomNumbers, ofRequests: RandomNumbers): ClusterIdentifiers {
  const next = () => ofObjects.next();
  return {
    uid: () => seededUuid(ofObjects),
    suffix: (length) => suffixOf(Uint32Array.from({ length }, next)),
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

function suffixOf(numbers: Uint32Array): string {
  return Array.from(numbers, (number) => suffixCharacters[number % suffixCharacters.length]).join("");
}

function seededUuid(numbers: RandomNumbers): string {
  return uuidOf(Uint8Array.from({ length: 16 }, () => numbers.next() & 0xff));
}
