import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { PrefixIndex } from "../../store/prefix-index.ts";
import type { Revision } from "../../store/revision.ts";
import type { Store } from "../../store/store.ts";

/** Where the objects of a resource are stored, and its labels. */
export interface CountedFolder {
  /** Ends with `/`. */
  readonly prefix: string;
  readonly labels: string;
}

/**
 * Counts the events of each resource when they are read, from the history of the store, so that writes cost nothing. Events
 * that the store has compacted before they were read are not counted.
 */
export class StorageEvents {
  #counts: ReadonlyMap<string, number> = new Map();
  /** The revision of the last event that was counted. */
  #seen: Revision = 0;

  /** Counts what has happened since the last call. Resources without events are left out, and forgotten once they have no folder. */
  count(store: Store<KubeObject>, folders: readonly CountedFolder[]): ReadonlyMap<string, number> {
    const index = new PrefixIndex<string[]>();
    const counts = new Map<string, number>();
    for (const { prefix, labels } of folders) {
      index.set(prefix, [...(index.get(prefix) ?? []), labels]);
      const known = this.#counts.get(labels);
      if (known !== undefined) counts.set(labels, known);
    }
    for (const { key } of eventsAfter(store, this.#seen)) {
      index.visit(key, (resources) => {
        for (const labels of resources) counts.set(labels, (counts.get(labels) ?? 0) + 1);
      });
    }
    this.#seen = store.revision;
    this.#counts = counts;
    return counts;
  }

  /** Begins again with events after the revision of the store. */
  reset(store: Pick<Store<KubeObject>, "revision">): void {
    this.#counts = new Map();
    this.#seen = store.revision;
  }
}

/** The store may have returned to an older revision since then. */
function eventsAfter(store: Store<KubeObject>, seen: Revision) {
  const { revision, compactRevision } = store;
  const feed = store.watch({
    prefix: "/registry/",
    from: Math.min(Math.max(seen, compactRevision), revision),
  });
  const events = feed.drain();
  feed.close();
  return events;
}
