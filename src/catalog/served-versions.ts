import type { GroupResource, GroupVersion, GroupVersionResource } from "../apimachinery/group-version.ts";
import { type AnyRelease, type Release, releases, type Since, sinceOf } from "../apimachinery/release.ts";
import { builtinIndex } from "./builtin.ts";
import type { EffectiveVersion } from "./effective-version.ts";
import { compareKubeVersions } from "./group-priority.ts";
import { type Enablements, LaterVersions } from "./later-versions.ts";
import { enablement } from "./runtime-config.ts";

/** A group and version with the names of its served resources. */
export interface ServedVersion extends GroupVersion {
  readonly resources: readonly string[];
}

/** A version that has a resource, and the first release with it. */
export interface ResourceVersion extends GroupVersion {
  readonly since: Release;
}

/** The releases that have a resource, and whether they serve it by default. */
export interface ResourceReleases {
  readonly first: Release;
  readonly last: Release;
  /** The first release without it; undefined if none has removed it. */
  readonly removed: AnyRelease | undefined;
  readonly isServedByDefault: boolean;
}

/** The releases that have a resource, and whether they serve it by default. */
type ResourceWindow = readonly [since: Release, removed: AnyRelease | null, on: boolean];

/** An entry of the packed index. */
interface IndexEntry extends ResourceVersion {
  readonly served: boolean;
  /** The first release whose binaries do not have the types; absent if no release has removed them. */
  readonly until?: AnyRelease;
  readonly resources: { readonly [name: string]: ResourceWindow };
}

/**
 * What a server serves. One that emulates an earlier release serves what that release has not removed; from 1.33 on, it leaves
 * out what came after that release. Upstream: apiserver, pkg/server/deleted_kinds.go.
 * @throws {Error} the error with which kube-apiserver would not start
 */
export function servedVersions(
  { binary, emulation }: EffectiveVersion,
  enablements: Enablements,
): readonly ServedVersion[] {
  const { runtimeConfig, withheld } = enablements;
  const [since, sinceEmulated] = [sinceOf<AnyRelease>(binary), sinceOf<AnyRelease>(emulation)];
  const known = versionIndex.entries.filter(
    ({ since: first, until }) => since(first) && (until === undefined || !since(until)),
  );
  const isEnabled = enablement(runtimeConfig, known, binary);
  const later = new LaterVersions(emulation, enablements);
  const served: ServedVersion[] = [];
  for (const { group, version, resources } of known.toSorted(byAscendingPriority)) {
    const names: string[] = [];
    for (const [resource, [first, removed, isOn]] of Object.entries(resources)) {
      if (!since(first) || (removed !== null && sinceEmulated(removed))) continue;
      if (withheld.includes(`${group}/${version}/${resource}`)) continue;
      const gvr = { group, version, resource };
      const isLater = since("1.33") && !sinceEmulated(first);
      if (!(isEnabled(gvr) ?? (isOn || later.isBrought(gvr)))) continue;
      if (isLater && !later.isServed(gvr, first)) continue;
      names.push(resource);
      later.serve(gvr);
    }
    if (names.length > 0) served.push({ group, version, resources: names });
    else later.checkEmpty({ group, version });
  }
  return served;
}

function byAscendingPriority(a: GroupVersion, b: GroupVersion): number {
  return compareKubeVersions(a.version, b.version);
}

/** The versions of a group that have a resource in the release, whether or not it is served by default. */
export function versionsOf({ group, resource }: GroupResource, release: Release): readonly ResourceVersion[] {
  const since = sinceOf<AnyRelease>(release);
  const versions: ResourceVersion[] = [];
  for (const entry of versionIndex.entries) {
    if (entry.group !== group || !Object.hasOwn(entry.resources, resource)) continue;
    const window = entry.resources[resource];
    if (window === undefined || !isOpen(window, since)) continue;
    versions.push({ group, version: entry.version, since: window[0] });
  }
  return versions;
}

/** The releases that have a resource in a group and version; undefined if there are none. */
export function releasesOf({ group, version, resource }: GroupVersionResource): ResourceReleases | undefined {
  const entry = versionIndex.entries.find((one) => one.group === group && one.version === version);
  const window = entry && Object.hasOwn(entry.resources, resource) ? entry.resources[resource] : undefined;
  if (window === undefined) return undefined;
  const [first, removed, isServedByDefault] = window;
  const last = releases.findLast((release) => isOpen(window, sinceOf(release))) ?? first;
  return { first, last, removed: removed ?? undefined, isServedByDefault };
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

function isOpen([first, removed]: ResourceWindow, since: Since<AnyRelease>): boolean {
  return since(first) && (removed === null || !since(removed));
}
