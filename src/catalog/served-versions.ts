import type { GroupResource, GroupVersion, GroupVersionResource } from "../apimachinery/group-version.ts";
import type { Release } from "./api-resource.ts";
import { builtinIndex } from "./builtin.ts";
import { minorOf } from "./release.ts";
import { enablement } from "./runtime-config.ts";

/** A group and version with the names of the resources that are served. */
export interface ServedVersion extends GroupVersion {
  readonly resources: readonly string[];
}

/** A version that can serve a resource, and the minor release that brought it. */
export interface ResourceVersion extends GroupVersion {
  readonly since: number;
}

/** An entry of generated/index.json. */
interface IndexEntry extends ResourceVersion {
  readonly served: boolean;
  readonly resources: {
    readonly [name: string]: readonly [since: number, removed: number | null, on: boolean];
  };
}

let parsed: readonly IndexEntry[] | undefined;

/** What a release serves under a runtime configuration. Throws what kube-apiserver would refuse to start with. */
export function servedVersions(
  release: Release,
  runtimeConfig: ReadonlyMap<string, boolean>,
): readonly ServedVersion[] {
  const minor = minorOf(release);
  const known = index().filter((entry) => entry.since <= minor);
  const isEnabled = enablement(runtimeConfig, known);
  const served: ServedVersion[] = [];
  for (const entry of known) {
    const { group, version } = entry;
    const resources = existingResources(entry, minor).filter((resource) => {
      const gvr: GroupVersionResource = { group, version, resource };
      return isEnabled(gvr) ?? entry.resources[resource]?.[2] === true;
    });
    if (resources.length > 0) served.push({ group, version, resources });
  }
  return served;
}

/** The versions of a group that have a resource in the release, served by default or not. */
export function versionsOf({ group, resource }: GroupResource, release: Release): readonly ResourceVersion[] {
  const minor = minorOf(release);
  const versions: ResourceVersion[] = [];
  for (const entry of index()) {
    if (entry.group !== group || !existingResources(entry, minor).includes(resource)) continue;
    const since = entry.resources[resource]?.[0] ?? entry.since;
    versions.push({ group, version: entry.version, since });
  }
  return versions;
}

function index(): readonly IndexEntry[] {
  // Our own data; a test compares it with what its generator makes.
  parsed ??= (JSON.parse(builtinIndex) as readonly IndexEntry[]).filter((entry) => entry.served);
  return parsed;
}

function existingResources({ resources }: IndexEntry, minor: number): readonly string[] {
  const names: string[] = [];
  for (const [name, [since, removed]] of Object.entries(resources)) {
    if (minor >= since && (removed === null || minor < removed)) names.push(name);
  }
  return names;
}
