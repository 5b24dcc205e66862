import { formatGroupResource, type GroupResource } from "../apimachinery/group-version.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { ApiView } from "../served/api-view.ts";
import type { ServedApi } from "../served/served-api.ts";
import type { Store } from "../store/store.ts";
import { collectionPrefix, type KeySpace, storageKey } from "./contract/object-key.ts";

/** The storage of a resource. */
export interface StorageHome {
  /** The resource in its storage version. */
  readonly entry: ApiResource;
  readonly space: KeySpace;
}

/** The objects of every resource as they are stored: without verbs, and without the strategies of writes. */
export class StoredObjects implements Lister {
  readonly #served: ServedApi;
  readonly #store: Store<KubeObject>;
  #view: ApiView | undefined;
  #homes: StorageHomes | undefined;

  constructor(served: ServedApi, store: Store<KubeObject>) {
    this.#served = served;
    this.#store = store;
  }

  /** The storage of a resource; undefined if the server does not have it. */
  homeOf(gr: GroupResource): StorageHome | undefined {
    const view = this.#served.current;
    if (view !== this.#view || this.#homes === undefined) {
      this.#view = view;
      this.#homes = view.derived(createStorageHomes);
    }
    return this.#homes.of(gr);
  }

  get(gr: GroupResource, namespace: string, name: string): KubeObject | undefined {
    const space = this.homeOf(gr)?.space;
    if (space === undefined) return undefined;
    const { prefix, namespaced } = space;
    return this.#store.get(namespaced ? `${prefix}${namespace}/${name}` : prefix + name)?.value;
  }

  list(gr: GroupResource, namespace: string): readonly KubeObject[] {
    const space = this.homeOf(gr)?.space;
    if (space === undefined) return [];
    return this.#store.range({ prefix: collectionPrefix(space, namespace) }).items.map(({ value }) => value);
  }

  /** The storage key of an object; undefined if the server does not have the resource. */
  keyOf(gr: GroupResource, namespace: string, name: string): string | undefined {
    const space = this.homeOf(gr)?.space;
    return space && storageKey(space, { namespace, name });
  }

  /** Stores a complete object in canonical form: one of those that a server creates when it starts. */
  put(gr: GroupResource, object: KubeObject): void {
    const { namespace = "", name = "" } = object.metadata;
    const key = this.keyOf(gr, namespace, name);
    // The memory store commits before the call returns.
    if (key !== undefined) void this.#store.guaranteedUpdate(key, () => ({ type: "put", value: object }));
  }

  /** Deletes an object from the store, whatever its finalizers are. */
  remove(gr: GroupResource, namespace: string, name: string): void {
    const home = this.homeOf(gr);
    if (home === undefined) return;
    const key = storageKey(home.space, { namespace, name });
    void this.#store.guaranteedUpdate(key, () => ({ type: "delete" }));
  }

  /** Makes a stored object unreadable. */
  corrupt(gr: GroupResource, namespace: string, name: string): void {
    const home = this.homeOf(gr);
    if (home === undefined) return;
    this.#store.corrupt(storageKey(home.space, { namespace, name }), home.space.prefix);
  }
}

/** Where the resources of a view of the API are stored. */
class StorageHomes {
  readonly #view: ApiView;
  readonly #byName = new Map<string, StorageHome>();
  /** The same by the objects that name the resources, most of which are constants. */
  readonly #byResource = new WeakMap<GroupResource, StorageHome>();

  constructor(view: ApiView) {
    this.#view = view;
  }

  of(gr: GroupResource): StorageHome | undefined {
    const home = this.#byResource.get(gr) ?? this.#named(gr);
    if (home !== undefined) this.#byResource.set(gr, home);
    return home;
  }

  #named(gr: GroupResource): StorageHome | undefined {
    const name = formatGroupResource(this.#view.storedAs(gr));
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const entry = this.#view.storedResource(gr);
    // Nothing remembers a resource that the server does not have: its name comes from a client.
    if (entry === undefined) return undefined;
    const { storagePrefix } = this.#view.facts(entry);
    const home = { entry, space: { prefix: `${storagePrefix}/`, namespaced: entry.namespaced } };
    this.#byName.set(name, home);
    return home;
  }
}

function createStorageHomes(view: ApiView): StorageHomes {
  return new StorageHomes(view);
}
