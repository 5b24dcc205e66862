import { formatGroupResource } from "../../apimachinery/group-version.ts";
import { isJsonObject, type JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { formatTime } from "../../apimachinery/time.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { revisionPlaceholder } from "../../registry/generic/seal.ts";
import { LastFew } from "../../sharing/last-few.ts";
import type { KnownManifest } from "./unknown-kinds.ts";

/**
 * The resources whose stored objects follow from the manifest, the release and its feature gates, but for their uid and times. Others
 * have addresses from a range, say who created them, or declare kinds.
 */
const plainResources: ReadonlySet<string> = new Set([
  "configmaps",
  "endpoints",
  "limitranges",
  "namespaces",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "serviceaccounts",
  "daemonsets.apps",
  "deployments.apps",
  "replicasets.apps",
  "statefulsets.apps",
  "horizontalpodautoscalers.autoscaling",
  "cronjobs.batch",
  "leases.coordination.k8s.io",
  "ingresses.networking.k8s.io",
  "networkpolicies.networking.k8s.io",
  "poddisruptionbudgets.policy",
]);

/** What a manifest can give besides what identifies and describes its object. */
const identity = [
  "uid",
  "resourceVersion",
  "generateName",
  "creationTimestamp",
  "deletionTimestamp",
  "ownerReferences",
  "managedFields",
];

/** How many objects are remembered for a release and its gates, and how long the manifest of one may be. */
const [mostObjects, longestText] = [500, 10_000];

/**
 * The initial objects of earlier clusters. Tests often create a cluster of the same objects again and again; it gets them as the first
 * cluster has stored them, with uids and times of its own.
 */
export class LoadedBefore {
  readonly #values = new Map<string, KubeObject>();

  /** What was stored for a manifest; undefined if it is not known. */
  find(manifest: KnownManifest): KubeObject | undefined {
    return this.#values.size === 0 ? undefined : this.#values.get(textOf(manifest) ?? "");
  }

  /** Remembers what is stored for a manifest that was loaded at `time`, unless it may differ in another cluster. */
  note(manifest: KnownManifest, value: KubeObject, time: number): void {
    const text = this.#values.size < mostObjects ? textOf(manifest) : undefined;
    if (text !== undefined && !dependsOn(value, formatTime(time))) this.#values.set(text, value);
  }
}

/** The objects that are known for a catalog and these gates; those of the last few sets are kept. */
export function loadedBefore(
  catalog: Catalog,
  givenGates: Iterable<readonly [string, boolean]>,
): LoadedBefore {
  return catalog.derived(byGates).of([...givenGates], () => new LoadedBefore());
}

function byGates(): LastFew<LoadedBefore> {
  return new LastFew();
}

/** A stored object of another cluster as one that is created at `time`, without a uid. */
export function asNew({ metadata, ...parts }: KubeObject, time: number): MutableKubeObject {
  const created = formatTime(time);
  const entries = metadata["managedFields"];
  return {
    ...parts,
    metadata: {
      ...metadata,
      uid: "",
      resourceVersion: revisionPlaceholder,
      creationTimestamp: created,
      ...(Array.isArray(entries) && {
        managedFields: entries.map((entry: JsonValue) =>
          isJsonObject(entry) ? { ...entry, time: created } : entry,
        ),
      }),
    },
  } as MutableKubeObject; // The rest of a KubeObject has its kind and apiVersion.
}

/** The text of a manifest; undefined for one whose object may differ between clusters. */
function textOf({ object, resource }: KnownManifest): string | undefined {
  const { metadata } = object;
  if (!isJsonObject(metadata) || !plainResources.has(formatGroupResource(resource))) return undefined;
  for (const field of identity) if (metadata[field] !== undefined) return undefined;
  try {
    const text = JSON.stringify(object);
    return text.length > longestText ? undefined : text;
  } catch {
    // A bigint has no text.
    return undefined;
  }
}

/** Whether an object has its uid or the time of its creation in another place. */
function dependsOn({ metadata, ...parts }: KubeObject, created: string): boolean {
  const { labels = {}, annotations = {}, uid = "" } = metadata;
  const text = JSON.stringify([parts, labels, annotations]);
  return text.includes(uid) || text.includes(created);
}
