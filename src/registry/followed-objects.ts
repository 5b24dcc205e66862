import type { GroupResource } from "../apimachinery/group-version.ts";
import type { ListedChange, ListedChanges, ListedObjects } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { Store } from "../store/store.ts";
import type { WatchFeed } from "../store/watch-feed.ts";
import type { StoredObjects } from "./stored-objects.ts";

interface FollowedResource {
  readonly resource: GroupResource;
  readonly feed: WatchFeed<KubeObject>;
}

/** Follows resources by watches of the store, which start with the first call. */
export class FollowedObjects implements ListedObjects {
  readonly #objects: StoredObjects;
  readonly #store: Store<KubeObject>;
  readonly #resources: readonly GroupResource[];
  #followed: readonly FollowedResource[] | undefined;
  /** The revision up to which changes have been returned. */
  #revision = -1;

  constructor(objects: StoredObjects, store: Store<KubeObject>, resources: readonly GroupResource[]) {
    this.#objects = objects;
    this.#store = store;
    this.#resources = resources;
  }

  next(): ListedChanges | undefined {
    if (this.#followed === undefined || this.#hasLostFeed(this.#followed)) return this.#restart();
    const { revision } = this.#store;
    if (revision === this.#revision) return undefined;
    this.#revision = revision;
    // Each write asks this of several resources that have not changed.
    let changes: ListedChange[] | undefined;
    for (const { resource, feed } of this.#followed) {
      for (const { type, value } of feed.drain()) {
        changes ??= [];
        changes.push({ type, resource, object: value.value });
      }
    }
    return changes && { isComplete: false, changes };
  }

  /** A feed ends when the store is restored to a snapshot, or when it has more events than it can hold. */
  #hasLostFeed(followed: readonly FollowedResource[]): boolean {
    for (const { feed } of followed) if (feed.ended) return true;
    return false;
  }

  #restart(): ListedChanges {
    for (const { feed } of this.#followed ?? []) feed.close();
    const { revision } = this.#store;
    this.#revision = revision;
    this.#followed = this.#resources.flatMap((resource) => {
      const home = this.#objects.homeOf(resource);
      if (home === undefined) return [];
      return { resource, feed: this.#store.watch({ prefix: home.space.prefix, from: revision }) };
    });
    const changes = this.#resources.flatMap((resource) =>
      this.#objects.list(resource, "").map((object): ListedChange => ({ type: "put", resource, object })),
    );
    return { isComplete: true, changes };
  }
}
