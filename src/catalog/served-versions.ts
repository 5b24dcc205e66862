import type { GroupVersion } from "../apimachinery/group-version.ts";
import type { Release } from "./api-resource.ts";
import { builtinIndex } from "./builtin.ts";
import { minorOf } from "./release.ts";
import { type Enablement, enablement } from "./runtime-config.ts";

/** A group and version with the names of the resources that are served. */
export interface ServedVersion extends GroupVersion {
  readonly resources: readonly string[];
}

/** An entry of generated/index.json. */
interface IndexEntry extends GroupVersion {
  readonly since: number;
  readonly served: boolean;
  readonly resources: {
    readonly [name: string]: readonly [since: number, removed: number | null, on: boolean];
  };
}

let index: readonly IndexEntry[] | undefined;

/** What a release serves under a runtime configuration. Throws what kube-apiserver would refuse to start with. */
export function servedVersions(
  release: Release,
  runtimeConfig: ReadonlyMap<string, boolean>,
): readonly ServedVersion[] {
  // Our own data; a test compares it with what its generator makes.
  index ??= (JSON.parse(builtinIndex) as readonly IndexEntry[]).filter((entry) => entry.served);
  const minor = minorOf(release);
  const known = index.filter((entry) => entry.since <= minor);
  const isEnabled = enablement(runtimeConfig, known);
  const served: ServedVersion[] = [];
  for (const { group, version, resources } of known) {
    const names = servedNames({ group, version, resources }, minor, isEnabled);
    if (names.length > 0) served.push({ group, version, resources: names });
  }
  return served;
}

function servedNames(
  { group, version, resources }: Pick<IndexEntry, "group" | "version" | "resources">,
  minor: number,
  isEnabled: Enablement,
): readonly string[] {
  const names: string[] = [];
  for (const [resource, [since, removed, on]] of Object.entries(resources)) {
    if (minor < since || (removed !== null && minor >= removed)) continue;
    if (isEnabled({ group, version, resource }) ?? on) names.push(resource);
  }
  return names;
}
