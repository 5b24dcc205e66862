import type {
  KubeObject,
  MutableKubeObject,
  MutableObjectMeta,
  ObjectMeta,
} from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { StrategyContext } from "./strategy.ts";

/** The source of uids and name suffixes; a seeded one is reproducible. */
export interface Identifiers {
  /** A random UUID, version 4. */
  readonly uid: () => string;
  /** `length` random characters for a generated name. */
  readonly suffix: (length: number) => string;
  /** A number from 0 to `bound`, exclusive. */
  readonly number: (bound: number) => number;
}

const suffixLength = 5;
const longestName = 63;

const serverFields = ["uid", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"];

/** Removes the fields that only the server sets. Clients send them when they copy an object. */
export function wipeSystemFields(object: MutableKubeObject): void {
  const { metadata } = object;
  for (const name of serverFields) if (metadata[name] !== undefined) delete metadata[name];
  metadata.creationTimestamp = null;
}

/**
 * Removes the name of the cluster, a field of releases up to 1.24 that is never kept. Only 1.24 says so (apiserver,
 * pkg/registry/rest/create.go and update.go).
 */
export function wipeClusterName(
  { metadata }: MutableKubeObject,
  { since }: FeatureGates,
  { warn }: StrategyContext,
): void {
  if (!metadata["clusterName"]) return;
  delete metadata["clusterName"];
  if (since("1.24")) warn(clusterNameWarning);
}

const clusterNameWarning =
  "metadata.clusterName was specified. This field is not preserved and will be removed from the schema in 1.25";

/** Sets the uid and the creation time of a new object. */
export function fillSystemFields(object: MutableKubeObject, now: number, identifiers: Identifiers): void {
  object.metadata.uid = identifiers.uid();
  object.metadata.creationTimestamp = formatTime(now);
}

/** `generateName` with five random characters, truncated to the length of a DNS label. */
export function generatedName(generateName: string, identifiers: Identifiers): string {
  const base = generateName.slice(0, longestName - suffixLength);
  return base + identifiers.suffix(suffixLength);
}

/** Sets the resourceVersion of an object that is being committed: in place if it is not frozen, otherwise in a copy. */
export function stampRevision(object: KubeObject, revision: number): KubeObject {
  const resourceVersion = String(revision);
  if (!Object.isFrozen(object) && !Object.isFrozen(object.metadata)) {
    // The object is not shared yet: it was prepared for this commit.
    (object.metadata as MutableObjectMeta).resourceVersion = resourceVersion;
    return object;
  }
  // `Object.assign` gives a more compact object than a spread, which is also faster to read.
  const metadata: ObjectMeta = Object.assign({}, object.metadata, { resourceVersion });
  return Object.assign({}, object, { metadata });
}
