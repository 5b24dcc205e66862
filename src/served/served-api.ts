import type { GroupResource } from "../apimachinery/group-version.ts";
import type { KubeObject } from "../apimachinery/object-meta.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Store } from "../store/store.ts";
import type { WatchFeed } from "../store/watch-feed.ts";
import type { ApiView } from "./api-view.ts";
import type { ServedKind } from "./served-kind.ts";

/** Stored objects that declare kinds, as CustomResourceDefinitions do, or kinds that are there without any. */
export interface KindSource<K extends ServedKind = ServedKind> {
  /** The resource of the objects; undefined for kinds that no object declares. */
  readonly resource: GroupResource | undefined;
  /** The kinds that objects declare. It returns the same definition for as long as nothing about the kind changes. */
  readonly kindsOf: (objects: readonly KubeObject[], catalog: Catalog) => readonly K[];
  /** Loads the code of `kindsOf`, when the first object appears, if objects declare the kinds. Until then, there are none. */
  readonly load?: () => Promise<void>;
}

/** A source as it was last read. */
interface ReadSource<K extends ServedKind> {
  readonly source: KindSource<K>;
  /** Undefined if no object declares its kinds. */
  readonly prefix: string | undefined;
  /** Tells of changes to the objects; undefined until they are first read. */
  feed: WatchFeed<KubeObject> | undefined;
  kinds: readonly K[];
  code: "unneeded" | "loading" | "loaded";
}

/**
 * What a cluster serves now: the API of its release and the kinds that stored objects declare. It is derived from the store,
 * so a fork, a restored snapshot or a replica serves what its own objects declare. A write to those objects counts from the
 * moment it is committed. Without sources it watches nothing.
 */
export class ServedApi<K extends ServedKind = ServedKind> {
  readonly #store: Store<KubeObject>;
  readonly #sources: readonly ReadSource<K>[];
  readonly #listeners = new Set<() => void>();
  /** Aborted when a declared resource is no longer served. */
  readonly #lifetimes = new Map<ApiResource, AbortController>();
  #view: ApiView<K>;
  #generation = 0;
  /** The generation that listeners know. */
  #announced = 0;
  /** Called when the code of the first source is loaded. */
  readonly #beginnings = new Set<() => Promise<void>>();
  #loading: Promise<void> | undefined;
  /** The revision of the store up to which changes have been considered. */
  #revision = -1;

  constructor(builtIn: ApiView<K>, store: Store<KubeObject>, sources: readonly KindSource<K>[]) {
    this.#view = builtIn;
    this.#store = store;
    this.#sources = sources.map((source) => {
      const { resource } = source;
      return {
        source,
        prefix: resource && `${builtIn.facts({ ...resource, version: "" }).storagePrefix}/`,
        feed: undefined,
        kinds: [],
        code: source.load === undefined ? "loaded" : "unneeded",
      };
    });
  }

  /** What is served now. Another object as soon as something else is served. */
  get current(): ApiView<K> {
    this.#refresh();
    return this.#view;
  }

  /** Counts the changes of what is served. */
  get generation(): number {
    this.#refresh();
    return this.#generation;
  }

  /** Resolves when the code is loaded that the declared kinds need; undefined if none is missing. */
  get loading(): Promise<void> | undefined {
    this.#refresh();
    return this.#loading;
  }

  /** Calls back when objects first declare kinds whose code has to be loaded. `loading` includes the result. */
  onBeginning(listener: () => Promise<void>): void {
    this.#beginnings.add(listener);
  }

  /** Calls back after each change, never within a write. The result stops that. */
  readonly onChange = (listener: () => void): (() => void) => {
    this.#refresh();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Aborts when a resource is no longer served or changes; undefined for a built-in resource, which never changes. */
  lifetimeOf(resource: ApiResource): AbortSignal | undefined {
    if (this.#view.catalog.resource(resource) !== undefined) return undefined;
    const lifetime = this.#lifetimes.get(resource) ?? new AbortController();
    if (this.current.resource(resource) === resource) this.#lifetimes.set(resource, lifetime);
    else lifetime.abort();
    return lifetime.signal;
  }

  /** Reads the sources that have changed since the last call. Runs for every request, so it is cheap if none has. */
  #refresh(): void {
    if (this.#sources.length === 0) return;
    const { revision } = this.#store;
    if (revision === this.#revision && !this.#hasLostFeed()) return;
    const isFirst = this.#revision < 0;
    this.#revision = revision;
    let isChanged = false;
    for (const source of this.#sources) isChanged = this.#reread(source) || isChanged;
    if (!isChanged) return;
    this.#view = this.#view.builtIn.withDeclared(this.#sources.flatMap(({ kinds }) => kinds));
    if (!isFirst) this.#generation += 1;
  }

  /** A feed ends when the store is restored to a snapshot, or when it has more events than it can hold. */
  #hasLostFeed(): boolean {
    for (const { feed } of this.#sources) if (feed?.ended) return true;
    return false;
  }

  /** Whether the source declares other kinds now. */
  #reread(read: ReadSource<K>): boolean {
    const { source, prefix, feed, kinds } = read;
    // The objects are read again when the code is loaded. A start may write many of them before that.
    if (read.code === "loading") return false;
    if (prefix === undefined) return this.#readConstant(read);
    if (feed !== undefined && !feed.ended && feed.drain().length === 0) return false;
    if (feed === undefined || feed.ended) read.feed = this.#follow(prefix);
    const stored = this.#store.range({ prefix }).items;
    const objects = stored.filter(({ corrupt }) => !corrupt).map(({ value }) => value);
    if (read.code === "unneeded" && objects.length > 0) this.#load(read);
    read.kinds = read.code === "loaded" ? source.kindsOf(objects, this.#view.catalog) : [];
    return read.kinds.length !== kinds.length || read.kinds.some((kind, index) => kind !== kinds[index]);
  }

  /** Reads a source whose kinds no object declares: once, as soon as its code is loaded. */
  #readConstant(read: ReadSource<K>): boolean {
    if (read.code === "unneeded") this.#load(read);
    if (read.code !== "loaded" || read.kinds.length > 0) return false;
    read.kinds = read.source.kindsOf([], this.#view.catalog);
    return read.kinds.length > 0;
  }

  #load(read: ReadSource<K>): void {
    read.code = "loading";
    const begun = read.prefix === undefined ? [] : [...this.#beginnings].map((begin) => begin());
    const others = this.#loading;
    const loading = Promise.all([others, read.source.load?.(), ...begun]);
    const done = loading.then(() => {
      read.code = "loaded";
      read.feed?.close();
      read.feed = undefined;
      this.#revision = Number.NaN;
      if (this.#loading === done) this.#loading = undefined;
      this.#announce();
    });
    this.#loading = done;
    // Requests wait for it and report the failure.
    done.catch(() => {});
  }

  #follow(prefix: string): WatchFeed<KubeObject> {
    const feed = this.#store.watch({ prefix, from: this.#store.revision });
    feed.onReady(() => this.#announce());
    return feed;
  }

  #announce(): void {
    this.#refresh();
    if (this.#announced === this.#generation) return;
    this.#announced = this.#generation;
    for (const [resource, lifetime] of this.#lifetimes) {
      if (this.#view.resource(resource) === resource) continue;
      this.#lifetimes.delete(resource);
      lifetime.abort();
    }
    for (const listener of this.#listeners) listener();
  }
}
