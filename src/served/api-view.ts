import {
  formatGroupResource,
  formatGroupVersion,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  parseGroupVersion,
} from "../apimachinery/group-version.ts";
import type { Release } from "../apimachinery/release.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { builtinPriority, customResourcePriority, inPriorityOrder } from "../catalog/group-priority.ts";
import { defaultFacts, type ResourceFacts } from "../catalog/resource-facts.ts";
import { announcedStorageVersion, storageVersion } from "../catalog/storage-version.ts";
import { builtInKindSchema, builtInSchema } from "../schema/built-in-schema.ts";
import { type KindSchema, structOfKind } from "../schema/kind-schema.ts";
import { DeclaredKinds } from "./declared-kinds.ts";
import { listSchema } from "./list-schema.ts";
import type { ServedKind } from "./served-kind.ts";

/**
 * The resources and kinds that a cluster serves at one time: those of its release, and those that objects in the cluster
 * declare. Immutable; `ServedApi` has another view when the objects change.
 */
export class ApiView<K extends ServedKind = ServedKind> {
  readonly catalog: Catalog;
  /** The view without declared kinds: this one, if it has none. */
  readonly builtIn: ApiView<K>;
  readonly #kinds: ReadonlyMap<string, K>;
  readonly #declared: DeclaredKinds<K> | undefined;
  readonly #derived = new Map<unknown, unknown>();
  /** The schemas of lists, by those of their items. */
  readonly #listSchemas = new WeakMap<KindSchema, KindSchema>();
  #groupVersions: readonly GroupVersion[] | undefined;
  /** The groups and versions of the release itself. */
  #ofRelease: ReadonlySet<string> | undefined;

  private constructor(
    catalog: Catalog,
    kinds: ReadonlyMap<string, K>,
    declared: DeclaredKinds<K> | undefined,
    builtIn: ApiView<K> | undefined,
  ) {
    this.catalog = catalog;
    this.#kinds = kinds;
    this.#declared = declared;
    this.builtIn = builtIn ?? this;
  }

  /** The view of a release; `kinds` are the definitions of its kinds. */
  static ofRelease<K extends ServedKind>(catalog: Catalog, kinds: readonly K[]): ApiView<K> {
    const byResource = new Map<string, K>();
    for (const kind of kinds) {
      for (const group of [kind.group, ...Object.keys(kind.cohabitants ?? {})])
        byResource.set(formatGroupResource({ group, resource: kind.resource }), kind);
    }
    return new ApiView(catalog, byResource, undefined, undefined);
  }

  /** The view of the release with these kinds. Groups and versions of the release itself cannot be declared. */
  withDeclared(kinds: readonly K[]): ApiView<K> {
    if (kinds.length === 0) return this.builtIn;
    const isTaken = (gv: GroupVersion) => this.isBuiltIn(gv);
    const declared = kinds.filter((kind) => !this.#kinds.has(formatGroupResource(kind)));
    return new ApiView(this.catalog, this.#kinds, new DeclaredKinds(declared, isTaken), this.builtIn);
  }

  get release(): Release {
    return this.catalog.release;
  }

  /** Whether the release itself serves a group and version. */
  isBuiltIn(gv: GroupVersion): boolean {
    this.#ofRelease ??= new Set(this.catalog.groupVersions().map(formatGroupVersion));
    return this.#ofRelease.has(formatGroupVersion(gv));
  }

  /** The served groups and versions in the order of discovery: the core group first, the preferred version of a group first. */
  groupVersions(): readonly GroupVersion[] {
    this.#groupVersions ??= this.#inDiscoveryOrder();
    return this.#groupVersions;
  }

  /** The served resources of a group and version, by name. */
  resources(gv: GroupVersion): readonly ApiResource[] {
    const declared = this.#declared?.versionsIn(gv) ?? [];
    if (declared.length === 0) return this.catalog.resources(gv);
    return declared.filter(({ isServed }) => isServed).map(({ resource }) => resource);
  }

  /** The resource, if it is served. */
  resource(gvr: GroupVersionResource): ApiResource | undefined {
    const builtIn = this.catalog.resource(gvr);
    if (builtIn !== undefined || this.#declared === undefined) return builtIn;
    const declared = this.#declared.versionOf(gvr);
    return declared?.isServed ? declared.resource : undefined;
  }

  /** The resource that serves a kind. */
  resourceOfKind(apiVersion: string, kind: string): ApiResource | undefined {
    const gv = parseGroupVersion(apiVersion);
    return gv && this.resources(gv).find((resource) => resource.kind === kind);
  }

  /** The schema of a kind or of its list, whether or not its version is served. */
  kind(gvk: GroupVersionKind): KindSchema | undefined {
    return this.#declaredSchema(gvk) ?? builtInKindSchema(this.catalog, gvk);
  }

  /** The definition of a kind; undefined for a built-in kind that has none. */
  definitionOf(gr: GroupResource): K | undefined {
    return this.#kinds.get(formatGroupResource(gr)) ?? this.#declared?.kindOf(gr);
  }

  /** The resource under whose name objects are stored: the same one, unless two groups serve the objects. */
  storedAs(gr: GroupResource): GroupResource {
    const home = this.definitionOf(gr)?.group ?? gr.group;
    return home === gr.group ? gr : { group: home, resource: gr.resource };
  }

  /** The group and version that discovery announces as the stored one; undefined if the API does not have the resource. */
  storageVersion(gr: GroupResource): GroupVersion | undefined {
    return (
      this.#declared?.storedVersionOf(gr)?.resource ??
      announcedStorageVersion(this.storedAs(gr), this.catalog.version)
    );
  }

  /** The resource in the version in which its objects are stored. */
  storedResource(gr: GroupResource): ApiResource | undefined {
    const declared = this.#declared?.storedVersionOf(gr);
    if (declared !== undefined) return declared.resource;
    const home = this.storedAs(gr);
    const upstream = storageVersion(home, this.catalog.version);
    const preferred = upstream && this.catalog.resource({ ...home, ...upstream });
    return preferred ?? this.#servedVersions(home).at(0);
  }

  /** What the server does with a resource beyond what its types say. */
  facts(gvr: GroupVersionResource): ResourceFacts {
    return (
      this.#declared?.versionOf(gvr)?.facts ??
      this.catalog.facts(gvr) ??
      this.catalog.facts({ ...this.storedAs(gvr), version: gvr.version }) ??
      defaultFacts(gvr.resource)
    );
  }

  /** The result of `make` for this view, which is computed once. */
  derived<T>(make: (view: ApiView<K>) => T): T {
    if (!this.#derived.has(make)) this.#derived.set(make, make(this));
    // `make` returned the value of its entry.
    return this.#derived.get(make) as T;
  }

  #inDiscoveryOrder(): readonly GroupVersion[] {
    const builtIn = this.catalog.groupVersions();
    const declared = this.#declared?.groupVersions() ?? [];
    if (declared.length === 0) return builtIn;
    const ranked = builtIn.map((gv) => ({ ...gv, priority: builtinPriority(gv) ?? customResourcePriority }));
    return inPriorityOrder([...ranked, ...declared]).map(({ group, version }) => ({ group, version }));
  }

  #declaredSchema(gvk: GroupVersionKind): KindSchema | undefined {
    const own = this.#declared?.versionOfKind(gvk)?.schema;
    if (own !== undefined || this.#declared === undefined || !gvk.kind.endsWith("List")) return own;
    const kind = gvk.kind.slice(0, -"List".length);
    const item = this.#declared.versionOfKind({ ...gvk, kind });
    return item && this.#listSchema(gvk, item.schema);
  }

  /** Undefined for items that are not Go structures: their lists are encoded without a schema. */
  #listSchema(gvk: GroupVersionKind, item: KindSchema): KindSchema | undefined {
    const known = this.#listSchemas.get(item);
    const struct = structOfKind(item);
    if (known !== undefined || struct === undefined) return known;
    const schema = builtInSchema(listSchema(gvk, struct, this.catalog));
    this.#listSchemas.set(item, schema);
    return schema;
  }

  /** The built-in resources that serve the objects stored under a name, the preferred one first. */
  #servedVersions(home: GroupResource): readonly ApiResource[] {
    return this.catalog
      .groupVersions()
      .filter(({ group }) => this.storedAs({ group, resource: home.resource }).group === home.group)
      .map((gv) => this.catalog.resource({ ...gv, resource: home.resource }))
      .filter((resource) => resource !== undefined);
  }
}
