import { formatGroupVersion, type GroupVersion } from "../../apimachinery/group-version.ts";
import type { ApiResource, ApiSubresource } from "../../catalog/api-resource.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { minorOf } from "../../catalog/release.ts";
import { storageVersion } from "../../catalog/storage-version.ts";
import { storageVersionHash } from "./storage-version-hash.ts";

/** What discovery tells of a subresource. */
export interface DiscoverySubresource {
  readonly name: string;
  /** Where the kind lives, which need not be the version around it. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** What discovery tells of a resource, whether built in, defined or aggregated. */
export interface DiscoveryResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Undefined for what is not stored. */
  readonly storageVersionHash: string | undefined;
  readonly subresources: readonly DiscoverySubresource[];
}

/** A version of a group with its resources, in the order discovery lists them. */
export interface DiscoveryVersion {
  readonly version: string;
  readonly resources: readonly DiscoveryResource[];
  /** Custom resources name the group and version of their own kind in the aggregated document; built-in ones leave them empty. */
  readonly ownKind: "empty" | "full";
  /** Stale: an aggregated server that does not answer. */
  readonly freshness: "Current" | "Stale";
}

/** A group with its served versions, the preferred one first. The core group has no name. */
export interface DiscoveryGroup {
  readonly name: string;
  readonly versions: readonly DiscoveryVersion[];
}

const groups = new WeakMap<Catalog, readonly DiscoveryGroup[]>();

/** The built-in groups that a catalog serves, the core group first. The same array for the same catalog. */
export function builtinGroups(catalog: Catalog): readonly DiscoveryGroup[] {
  const known = groups.get(catalog);
  if (known !== undefined) return known;
  const versions = new Map<string, DiscoveryVersion[]>();
  for (const gv of catalog.groupVersions()) {
    const group = versions.get(gv.group);
    const version = builtinVersion(catalog, gv);
    if (group === undefined) versions.set(gv.group, [version]);
    else group.push(version);
  }
  const built = [...versions].map(([name, served]) => ({ name, versions: served }));
  groups.set(catalog, built);
  return built;
}

function builtinVersion(catalog: Catalog, gv: GroupVersion): DiscoveryVersion {
  return {
    version: gv.version,
    resources: catalog.resources(gv).map((resource) => builtinResource(catalog, resource)),
    ownKind: "empty",
    freshness: "Current",
  };
}

function builtinResource(catalog: Catalog, resource: ApiResource): DiscoveryResource {
  return {
    name: resource.resource,
    // Servers before 1.27 tell the singular names of custom resources only.
    singularName: minorOf(catalog.release) < 27 ? "" : resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    shortNames: resource.shortNames,
    categories: resource.categories,
    storageVersionHash: hash(catalog, resource),
    subresources: [...resource.subresources.values()].map(builtinSubresource),
  };
}

function builtinSubresource({ name, gvk, verbs }: ApiSubresource): DiscoverySubresource {
  return { name, group: gvk.group, version: gvk.version, kind: gvk.kind, verbs };
}

function hash(catalog: Catalog, resource: ApiResource): string | undefined {
  const isStored = resource.verbs.includes("watch");
  const stored = isStored ? storageVersion(resource, catalog.release) : undefined;
  return stored && storageVersionHash({ ...stored, kind: resource.kind });
}

/** The version's place in the API: `v1`, `apps/v1`. */
export function groupVersionOf(group: DiscoveryGroup, version: DiscoveryVersion): string {
  return formatGroupVersion({ group: group.name, version: version.version });
}
