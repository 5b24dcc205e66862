import type { GroupResource, GroupVersion, GroupVersionResource } from "../apimachinery/group-version.ts";
import type { Release } from "./api-resource.ts";
import { builtinIndex } from "./builtin.ts";
import { minorOf } from "./release.ts";
import { enablement } from "./runtime-config.ts";

/** A group and version with the names of its served resources. */
export interface ServedVersion extends GroupVersion {
  readonly resources: readonly string[];
}

/** A version that has a resource, and the minor number of the first release with it. */
export interface ResourceVersion extends GroupVersion {
  readonly since: number;
}

/** The releases that have a resource, by their minor numbers, and whether they serve it by default. */
export interface ResourceReleases {
  readonly first: number;
  /** Undefined if no release has removed it. */
  readonly last: number | undefined;
  readonly isServedByDefault: boolean;
}

/** The releases that have a resource, and whether they serve it by default. */
type ResourceWindow = readonly [since: number, removed: number | null, on: boolean];

/** An entry of the packed index. */
interface IndexEntry extends ResourceVersion {
  readonly served: boolean;
  readonly resources: { readonly [name: string]: ResourceWindow };
}

/**
 * What a release serves with a runtime configuration.
 * @throws {Error} the error with which kube-apiserver would not start
 */
export function servedVersions(
  release: Release,
  runtimeConfig: ReadonlyMap<string, boolean>,
): readonly ServedVersion[] {
  const minor = minorOf(release);
  const known = versionIndex.entries.filter((entry) => entry.since <= minor);
  const isEnabled = enablement(runtimeConfig, known);
  const served: ServedVersion[] = [];
  for (const { group, version, resources } of known) {
    const names: string[] = [];
    for (const [resource, window] of Object.entries(resources)) {
      if (isOpen(window, minor) && (isEnabled({ group, version, resource }) ?? window[2]))
        names.push(resource);
    }
    if (names.length > 0) served.push({ group, version, resources: names });
  }
  return served;
}

/** The versions of a group that have a resource in the release, whether or not it is served by default. */
export function versionsOf({ group, resource }: GroupResource, release: Release): readonly ResourceVersion[] {
  const minor = minorOf(release);
  const versions: ResourceVersion[] = [];
  for (const entry of versionIndex.entries) {
    if (entry.group !== group || !Object.hasOwn(entry.resources, resource)) continue;
    const window = entry.resources[resource];
    if (window === undefined || !isOpen(window, minor)) continue;
    versions.push({ group, version: entry.version, since: window[0] });
  }
  return versions;
}

/** The releases that have a resource in a group and version; undefined if there are none. */
export function releasesOf({ group, version, resource }: GroupVersionResource): ResourceReleases | undefined {
  const entry = versionIndex.entries.find((one) => one.group === group && one.version === version);
  const window = entry && Object.hasOwn(entry.resources, resource) ? entry.resources[resource] : undefined;
  if (window === undefined) return undefined;
  const [since, removed, isServedByDefault] = window;
  return { first: since, last: removed === null ? undefined : removed - 1, isServedByDefault };
}

/** The groups and versions that can be served, parsed when they are first needed. */
class VersionIndex {
  #entries: readonly IndexEntry[] | undefined;

  get entries(): readonly IndexEntry[] {
    // The index is our own data; a test compares it with the files of the catalog.
    this.#entries ??= (JSON.parse(builtinIndex) as readonly IndexEntry[]).filter((entry) => entry.served);
    return this.#entries;
  }
}

const versionIndex = new VersionIndex();

function isOpen([since, removed]: ResourceWindow, minor: number): boolean {
  return minor >= since && (removed === null || minor < removed);
}
