import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type Encodable, transient } from "../../codec/encodable.ts";
import { compacted, type StorageError } from "../../store/storage-error.ts";
import type { StoreEvent } from "../../store/stored-value.ts";
import type { WatchFeed } from "../../store/watch-feed.ts";
import { collectionPrefix, type KeySpace } from "../contract/object-key.ts";
import type { ResourceEvent, ResourceWatch } from "../contract/resource-watch.ts";
import type { WatchQuery } from "../contract/rest.ts";
import { type SelectionPredicate, selectionOf } from "../contract/selection-predicate.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { stampRevision } from "../contract/system-fields.ts";
import { isCacheReady } from "./corrupt-object.ts";

const nothing: readonly ResourceEvent[] = [];

/** Opens a watch. A watch from a compacted revision ends at once with the error of the store. */
export function watchObjects(resource: StoredResource, query: WatchQuery): ResourceWatch {
  const { store, space } = resource;
  const prefix = watchedPrefix(space, query);
  const from = query.from === "now" ? store.revision : query.from;
  const initial = query.initialEvents ? presentState(resource, prefix, query.predicate) : [];
  const revision = query.initialEvents ? store.revision : from;
  const feed = store.watch({
    prefix,
    from: revision,
    signal: query.signal,
    onRestore: "continue",
    filter: query.predicate.isEmpty ? undefined : query.predicate,
  });
  const lost = lostEvents(resource, revision);
  if (lost !== undefined || !isCacheReady(resource)) feed.close();
  return new ObjectWatch({ initial, revision, predicate: query.predicate, store, feed, lost });
}

interface ObjectWatchParts {
  readonly initial: readonly Encodable[];
  readonly revision: number;
  readonly predicate: SelectionPredicate;
  readonly store: StoredResource["store"];
  readonly feed: WatchFeed<KubeObject>;
  /** The error of a watch that cannot start. */
  readonly lost: StorageError | undefined;
}

/** A class, because getters in an object literal would give every watch its own hidden class in V8. */
class ObjectWatch implements ResourceWatch {
  readonly initial: readonly Encodable[];
  readonly revision: number;
  readonly #predicate: SelectionPredicate;
  readonly #store: StoredResource["store"];
  readonly #feed: WatchFeed<KubeObject>;
  readonly #lost: StorageError | undefined;

  constructor({ initial, revision, predicate, store, feed, lost }: ObjectWatchParts) {
    this.initial = initial;
    this.revision = revision;
    this.#predicate = predicate;
    this.#store = store;
    this.#feed = feed;
    this.#lost = lost;
  }

  get progress(): number {
    return this.#store.revision;
  }

  get isCrowded(): boolean {
    return this.#feed.isCrowded;
  }

  get ended(): boolean {
    return this.#feed.ended;
  }

  get error(): StorageError | undefined {
    return this.#lost ?? this.#feed.error;
  }

  drain(): readonly ResourceEvent[] {
    const events = this.#feed.drain();
    if (events.length === 0) return nothing;
    const seen: ResourceEvent[] = [];
    for (const event of events) {
      const shown = eventFor(this.#predicate, event);
      if (shown !== undefined) seen.push(shown);
    }
    return seen;
  }

  onReady(callback: () => void): void {
    this.#feed.onReady(callback);
  }

  close(): void {
    this.#feed.close();
  }
}

/** The watch cache restarts after an object of the resource was corrupt, without events from before. */
function lostEvents({ store, space }: StoredResource, requested: number): StorageError | undefined {
  if (!store.hasCorrupt) return undefined;
  const feed = store.watch({ prefix: space.prefix, from: requested });
  const last = feed.drain().findLast(({ value, previous }) => value.corrupt || previous?.corrupt);
  feed.close();
  if (last === undefined) return undefined;
  return compacted({ requested, compactRevision: last.revision + 1, revision: store.revision });
}

/** A watch of one object has its key as the prefix. */
function watchedPrefix(space: KeySpace, { namespace, predicate }: WatchQuery): string {
  const within = namespace !== "" || !space.namespaced ? namespace : (predicate.namespace ?? "");
  const prefix = collectionPrefix(space, within);
  const isOneObject = predicate.name !== undefined && (within !== "" || !space.namespaced);
  return isOneObject ? prefix + predicate.name : prefix;
}

function presentState(
  resource: StoredResource,
  prefix: string,
  predicate: SelectionPredicate,
): readonly Encodable[] {
  if (!prefix.endsWith("/")) {
    const found = resource.store.get(prefix);
    return found !== undefined && predicate.selects(found) ? [found] : [];
  }
  const select = predicate.isEmpty ? undefined : predicate.selects;
  return resource.store.range({ prefix, select, selection: selectionOf(predicate) }).items;
}

/**
 * The event for a watcher with a selector. An object that no longer matches is DELETED: the event has the old object
 * with the revision of the change.
 *
 * | before | after | event |
 * | --- | --- | --- |
 * | – | matches | ADDED |
 * | matches | matches | MODIFIED |
 * | matches | – | DELETED |
 */
function eventFor(predicate: SelectionPredicate, event: StoreEvent<KubeObject>): ResourceEvent | undefined {
  const { revision, previous } = event;
  const before = previous !== undefined && predicate.selects(previous);
  const after = event.type === "put" && predicate.selects(event.value);
  if (after) return { type: before ? "MODIFIED" : "ADDED", object: event.value, revision };
  if (!before || previous === undefined) return undefined;
  const last = event.type === "delete" ? event.value : transient(stampRevision(previous.value, revision));
  return { type: "DELETED", object: last, revision };
}
