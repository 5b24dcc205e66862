import { formatGroupResource, type GroupResource, type GroupVersion } from "../apimachinery/group-version.ts";
import type { Lister } from "../apimachinery/lister.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { resourceFacts } from "../catalog/resource-facts.ts";
import { storageVersion, storedAs } from "../catalog/storage-version.ts";
import type { Store } from "../store/store.ts";
import { collectionPrefix, type KeySpace, storageKey } from "./contract/object-key.ts";

/** Where the objects of a resource are. */
export interface StorageHome {
  /** The resource in the version it is stored in. */
  readonly entry: ApiResource;
  readonly space: KeySpace;
}

/** The objects of every resource as they are stored: without verbs, and without the strategies that verbs ask. */
export class StoredObjects implements Lister {
  readonly #catalog: Catalog;
  readonly #store: Store<KubeObject>;
  readonly #homes = new Map<string, StorageHome | undefined>();
  /** The same for those who ask with the same object again, as most do. */
  readonly #homesOf = new WeakMap<GroupResource, StorageHome | undefined>();

  constructor(catalog: Catalog, store: Store<KubeObject>) {
    this.#catalog = catalog;
    this.#store = store;
  }

  /** Where a resource is stored; undefined when the server does not have it. */
  homeOf(gr: GroupResource): StorageHome | undefined {
    if (!this.#homesOf.has(gr)) this.#homesOf.set(gr, this.#homeOf(gr));
    return this.#homesOf.get(gr);
  }

  #homeOf(gr: GroupResource): StorageHome | undefined {
    const home = storedAs(gr);
    const key = formatGroupResource(home);
    if (!this.#homes.has(key)) this.#homes.set(key, storageHome(this.#catalog, home));
    return this.#homes.get(key);
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

  /** Where the store keeps an object; undefined when the server does not have the resource. */
  keyOf(gr: GroupResource, namespace: string, name: string): string | undefined {
    const space = this.homeOf(gr)?.space;
    return space && storageKey(space, { namespace, name });
  }

  /** Stores an object as it is, in canonical form and complete: what a server makes for itself when it starts. */
  plant(gr: GroupResource, object: KubeObject): void {
    const { namespace = "", name = "" } = object.metadata;
    const key = this.keyOf(gr, namespace, name);
    // The memory store commits within the call.
    if (key !== undefined) void this.#store.guaranteedUpdate(key, () => ({ type: "put", value: object }));
  }

  /** Takes an object out of the store, without asking what holds it. */
  remove(gr: GroupResource, namespace: string, name: string): void {
    const key = this.keyOf(gr, namespace, name);
    if (key !== undefined) void this.#store.guaranteedUpdate(key, () => ({ type: "delete" }));
  }

  /** Makes a stored object unreadable. */
  corrupt(gr: GroupResource, namespace: string, name: string): void {
    const home = this.homeOf(gr);
    if (home === undefined) return;
    this.#store.corrupt(storageKey(home.space, { namespace, name }), home.space.prefix);
  }
}

function storageHome(catalog: Catalog, home: GroupResource): StorageHome | undefined {
  const entry = storedEntry(catalog, home);
  if (entry === undefined) return undefined;
  const { storagePrefix } = resourceFacts(entry);
  return { entry, space: { prefix: `${storagePrefix}/`, namespaced: entry.namespaced } };
}

/** Upstream's choice of version if it is served, else the preferred one. */
function storedEntry(catalog: Catalog, home: GroupResource): ApiResource | undefined {
  const upstream = storageVersion(home, catalog.release);
  const preferred = upstream && catalog.resource({ ...home, ...upstream });
  return preferred ?? servedVersions(catalog, home).at(0);
}

function servedVersions(catalog: Catalog, home: GroupResource): readonly ApiResource[] {
  const inGroup = (gv: GroupVersion) =>
    storedAs({ group: gv.group, resource: home.resource }).group === home.group;
  return catalog
    .groupVersions()
    .filter(inGroup)
    .map((gv) => catalog.resource({ ...gv, resource: home.resource }))
    .filter((entry) => entry !== undefined);
}
