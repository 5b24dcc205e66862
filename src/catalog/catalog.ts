import type { GroupVersion, GroupVersionKind, GroupVersionResource } from "../apimachinery/group-version.ts";
import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { type AnyRelease, parseRelease, type Release, type Since, sinceOf } from "../apimachinery/release.ts";
import type { ApiResource } from "./api-resource.ts";
import { apiResource } from "./builtin-resource.ts";
import { catalogFiles } from "./catalog-files.ts";
import { type EffectiveVersion, ownVersion } from "./effective-version.ts";
import { builtinPriority, inPriorityOrder } from "./group-priority.ts";
import { type Enablements, noEnablements } from "./later-versions.ts";
import { RecordedFacts, type ResourceFacts } from "./resource-facts.ts";
import { type ServedVersion, servedVersions } from "./served-versions.ts";
import { TypeResolver } from "./type-resolver.ts";
import type { Schema, StructSchema } from "./type-schema.ts";

/** The kinds of meta/v1 that every group and version has: upstream's `metav1.AddToGroupVersion`. */
const kindsOfEveryGroup: readonly string[] = [
  "WatchEvent",
  "ListOptions",
  "GetOptions",
  "DeleteOptions",
  "CreateOptions",
  "PatchOptions",
  "UpdateOptions",
  "Status",
  "APIVersions",
  "APIGroupList",
  "APIGroup",
  "APIResourceList",
];

/**
 * The built-in API of one release: the resources that it serves and the schemas of its kinds. Immutable; each file of the
 * catalog is parsed when it is first needed.
 */
export class Catalog {
  /** The releases that the server combines. */
  readonly version: EffectiveVersion;
  readonly #since: Since<AnyRelease>;
  readonly #served: ReadonlyMap<string, ServedVersion>;
  readonly #groupVersions: readonly GroupVersion[];
  readonly #types: TypeResolver;
  readonly #resources = new Map<string, ReadonlyMap<string, ApiResource>>();
  readonly #derived = new Map<unknown, unknown>();
  #facts: RecordedFacts | undefined;

  constructor(version: EffectiveVersion, served: readonly ServedVersion[]) {
    this.version = version;
    this.#since = sinceOf(version.emulation);
    this.#served = new Map(served.map((version) => [formatGroupVersion(version), version]));
    this.#groupVersions = inDiscoveryOrder(served);
    this.#types = new TypeResolver(version.binary);
  }

  /** The release of the server, whichever it emulates. */
  get release(): Release {
    return this.version.binary;
  }

  /** The served groups and versions in the order of discovery: the core group first, the preferred version of a group first. */
  groupVersions(): readonly GroupVersion[] {
    return this.#groupVersions;
  }

  /** The served resources of a group and version, by name. */
  resources(gv: GroupVersion): readonly ApiResource[] {
    return [...this.#resourcesByName(gv).values()];
  }

  /** The resource, if it is served. */
  resource(gvr: GroupVersionResource): ApiResource | undefined {
    return this.#resourcesByName(gvr).get(gvr.resource);
  }

  /** What was recorded of a resource besides its types. */
  facts(gvr: GroupVersionResource): ResourceFacts | undefined {
    this.#facts ??= new RecordedFacts();
    return this.#facts.of(gvr);
  }

  /** The result of `make` for this catalog, which is computed once. */
  derived<T>(make: (catalog: Catalog) => T): T {
    if (!this.#derived.has(make)) this.#derived.set(make, make(this));
    // `make` returned the value of its entry.
    return this.#derived.get(make) as T;
  }

  /**
   * The schema of a kind, whether or not its version is served. The kinds of meta/v1 that belong to every API call (Status,
   * the options, WatchEvent, the legacy discovery documents) exist in every group and version; Table, PartialObjectMetadata
   * and the like only in meta.k8s.io, and List only in v1.
   */
  kind(gvk: GroupVersionKind): StructSchema | undefined {
    const own = this.type(gvk, gvk.kind);
    if (own?.type === "struct" && own.typeMeta) return own;
    return this.#sharedKind(gvk, gvk.kind);
  }

  /** The kinds of a group and version: its own in the order of their declaration, then those of every group. */
  *kindsOf(gv: GroupVersion): Iterable<[kind: string, schema: StructSchema]> {
    const seen = new Set<string>();
    for (const name of [...this.#types.names(fileKey(gv)), ...this.#sharedKinds(gv)]) {
      const schema = seen.has(name) ? undefined : this.kind({ ...gv, kind: name });
      if (schema === undefined) continue;
      seen.add(name);
      yield [name, schema];
    }
  }

  /** A named type. The group of `meta/v1` is `meta` or `meta.k8s.io`. */
  type(gv: GroupVersion, name: string): Schema | undefined {
    return this.#types.type(fileKey(gv), name);
  }

  /** The named types of a group and version, in the order of their declaration. */
  types(gv: GroupVersion): ReadonlyMap<string, Schema> {
    const types = new Map<string, Schema>();
    for (const name of this.#types.names(fileKey(gv))) {
      const schema = this.type(gv, name);
      if (schema !== undefined) types.set(name, schema);
    }
    return types;
  }

  #resourcesByName(gv: GroupVersion): ReadonlyMap<string, ApiResource> {
    const key = formatGroupVersion(gv);
    const known = this.#resources.get(key);
    if (known !== undefined) return known;
    const served = this.#served.get(key);
    const file = served && catalogFiles.file(fileKey(gv));
    const resources = new Map<string, ApiResource>();
    // Only served groups are cached: names come from clients, so the number of other groups is unlimited.
    if (served === undefined || file === undefined) return resources;
    for (const name of [...served.resources].sort()) {
      const entry = file.resources?.[name];
      if (entry !== undefined) resources.set(name, apiResource(file, name, entry, this.#since));
    }
    this.#resources.set(key, resources);
    return resources;
  }

  #sharedKind(gv: GroupVersion, kind: string): StructSchema | undefined {
    if (!this.#sharedKinds(gv).includes(kind)) return undefined;
    const schema = this.type({ group: "meta", version: "v1" }, kind);
    return schema?.type === "struct" ? schema : undefined;
  }

  #sharedKinds(gv: GroupVersion): readonly string[] {
    if (gv.group === "meta.k8s.io")
      return [...this.#types.names("meta/v1")].filter((name) => this.#isKind(name));
    if (gv.group === "" && gv.version === "v1") return [...kindsOfEveryGroup, "List"];
    return kindsOfEveryGroup;
  }

  #isKind(name: string): boolean {
    if (name === "WatchEvent") return true;
    const schema = this.#types.type("meta/v1", name);
    return schema?.type === "struct" && schema.typeMeta;
  }
}

/** More than the clusters of any test run differ by. */
const mostCatalogs = 100;

/** Clusters of the same options share a catalog, and with it all that is computed of its schemas. */
const catalogs = new Map<string, Catalog>();

/**
 * The catalog of a release from 1.16 to 1.36, given as "1.32" or "v1.32"; a patch number is ignored. Equal options give the
 * same object.
 */
export function catalogOf(options: { readonly release: string } & Partial<Enablements>): Catalog {
  const { release, ...enablements } = options;
  return catalogOfVersion(ownVersion(parseRelease(release)), { ...noEnablements, ...enablements });
}

/** The catalog of a server that may emulate an earlier release. Equal arguments give the same object. */
export function catalogOfVersion(version: EffectiveVersion, enablements: Enablements): Catalog {
  const { runtimeConfig, ...forward } = enablements;
  const config = [...runtimeConfig].sort(([a], [b]) => (a < b ? -1 : 1));
  const key = JSON.stringify([version, config, forward]);
  const known = catalogs.get(key);
  if (known !== undefined) return known;
  const catalog = new Catalog(version, servedVersions(version, enablements));
  if (catalogs.size === mostCatalogs) catalogs.clear();
  catalogs.set(key, catalog);
  return catalog;
}

function inDiscoveryOrder(served: readonly GroupVersion[]): readonly GroupVersion[] {
  const ranked = served.map(({ group, version }) => {
    const priority = builtinPriority({ group, version });
    if (priority === undefined) throw new Error(`${group}/${version} has no priority in discovery`);
    return { group, version, priority };
  });
  return inPriorityOrder(ranked).map(({ group, version }) => ({ group, version }));
}

/** The key of a group and version in the catalog: `core/v1`, `meta/v1`, `apps/v1`. */
function fileKey({ group, version }: GroupVersion): string {
  if (group === "") return `core/${version}`;
  return group === "meta.k8s.io" ? `meta/${version}` : `${group}/${version}`;
}
