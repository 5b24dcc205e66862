import type {
  KubeObject,
  MutableKubeObject,
  MutableObjectMeta,
  ObjectMeta,
} from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";

/** Where new uids and name suffixes come from; a seeded source gives stable ones. */
export interface Identifiers {
  /** A random UUID, version 4. */
  readonly uid: () => string;
  /** `length` characters that may end a generated name. */
  readonly suffix: (length: number) => string;
  /** A number from 0 to below `bound`. */
  readonly number: (bound: number) => number;
}

const suffixLength = 5;
const longestName = 63;

const serverFields = ["uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"];

/** Removes what only the server writes; a client that copies an object sends it along. */
export function wipeSystemFields(object: MutableKubeObject): void {
  const { metadata } = object;
  for (const name of serverFields) if (metadata[name] !== undefined) delete metadata[name];
  metadata.creationTimestamp = null;
}

/** Gives a new object its uid and its time of birth, to the second. */
export function fillSystemFields(object: MutableKubeObject, now: number, identifiers: Identifiers): void {
  object.metadata.uid = identifiers.uid();
  object.metadata.creationTimestamp = formatTime(now);
}

/** `generateName` and five random characters, cut so that the name stays a DNS label. */
export function generatedName(generateName: string, identifiers: Identifiers): string {
  const base = generateName.slice(0, longestName - suffixLength);
  return base + identifiers.suffix(suffixLength);
}

/** Writes the revision of a commit into an object that is about to be stored: in place if it is new, else into a copy. */
export function stampRevision(object: KubeObject, revision: number): KubeObject {
  const resourceVersion = String(revision);
  if (!Object.isFrozen(object) && !Object.isFrozen(object.metadata)) {
    // Nobody else has it yet: it was sealed for this commit.
    (object.metadata as MutableObjectMeta).resourceVersion = resourceVersion;
    return object;
  }
  // Copies made by spreading take more room and read slower than those that are assigned.
  const metadata: ObjectMeta = Object.assign({}, object.metadata, { resourceVersion });
  return Object.assign({}, object, { metadata });
}
