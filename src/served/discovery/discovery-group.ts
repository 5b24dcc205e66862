import { formatGroupVersion, type GroupVersion } from "../../apimachinery/group-version.ts";
import { sinceOf } from "../../apimachinery/release.ts";
import type { ApiResource, ApiSubresource } from "../../catalog/api-resource.ts";
import type { ApiView } from "../api-view.ts";
import { storageVersionHash } from "./storage-version-hash.ts";

/** A subresource in discovery. */
export interface DiscoverySubresource {
  readonly name: string;
  /** The group of its kind, which can be another one than that of the resource, as for `scale`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A resource in discovery: built in, custom or aggregated. */
export interface DiscoveryResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Undefined for resources that are not stored. */
  readonly storageVersionHash: string | undefined;
  readonly subresources: readonly DiscoverySubresource[];
}

/** A version of a group with its resources, in the order of discovery. */
export interface DiscoveryVersion {
  readonly version: string;
  readonly resources: readonly DiscoveryResource[];
  /** The aggregated document leaves the group and version of the responseKind empty for built-in resources, not for custom ones. */
  readonly ownKind: "empty" | "full";
  /** Stale if the aggregated server does not answer. */
  readonly freshness: "Current" | "Stale";
}

/** A group with its served versions, the preferred one first. The core group has no name. */
export interface DiscoveryGroup {
  readonly name: string;
  readonly versions: readonly DiscoveryVersion[];
}

/**
 * The served groups, the core group first. A view with declared kinds has the same objects for the versions of the release as
 * the view without.
 */
export function discoveryGroups(view: ApiView): readonly DiscoveryGroup[] {
  const builtIn = view === view.builtIn ? [] : view.derived(builtInGroups);
  const groups = new Map<string, DiscoveryVersion[]>();
  for (const gv of view.groupVersions()) {
    const known = builtIn.find(({ name }) => name === gv.group)?.versions;
    const version =
      known?.find((candidate) => candidate.version === gv.version) ?? discoveryVersion(view, gv);
    const versions = groups.get(gv.group);
    if (versions === undefined) groups.set(gv.group, [version]);
    else versions.push(version);
  }
  return [...groups].map(([name, versions]) => ({ name, versions }));
}

function builtInGroups(view: ApiView): readonly DiscoveryGroup[] {
  return view.builtIn.derived(discoveryGroups);
}

function discoveryVersion(view: ApiView, gv: GroupVersion): DiscoveryVersion {
  const isBuiltIn = view.isBuiltIn(gv);
  // Servers before 1.27 show the singular names of custom resources only.
  const hasSingularNames = !isBuiltIn || sinceOf(view.release)("1.27");
  const resourceOf = (resource: ApiResource): DiscoveryResource => ({
    name: resource.resource,
    singularName: hasSingularNames ? resource.singular : "",
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    shortNames: resource.shortNames,
    categories: resource.categories,
    storageVersionHash: hashOf(view, resource),
    subresources: [...resource.subresources.values()].map(discoverySubresource),
  });
  let resources: readonly DiscoveryResource[] | undefined;
  return {
    version: gv.version,
    // Most requests need the names of the groups and versions alone.
    get resources() {
      resources ??= view.resources(gv).map(resourceOf);
      return resources;
    },
    ownKind: isBuiltIn ? "empty" : "full",
    freshness: "Current",
  };
}

function discoverySubresource({ name, gvk, verbs }: ApiSubresource): DiscoverySubresource {
  return { name, group: gvk.group, version: gvk.version, kind: gvk.kind, verbs };
}

/** Resources that can be watched are stored. */
function hashOf(view: ApiView, resource: ApiResource): string | undefined {
  const stored = resource.verbs.includes("watch") ? view.storageVersion(resource) : undefined;
  return stored && storageVersionHash({ ...stored, kind: resource.kind });
}

/** The `groupVersion` of a version: `v1`, `apps/v1`. */
export function groupVersionOf(group: DiscoveryGroup, version: DiscoveryVersion): string {
  return formatGroupVersion({ group: group.name, version: version.version });
}
