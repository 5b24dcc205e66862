import type { GroupVersion } from "../apimachinery/group-version.ts";
import { type AnyRelease, sinceOf } from "../apimachinery/release.ts";
import type { ApiResource } from "./api-resource.ts";
import { apiResource } from "./builtin-resource.ts";
import { catalogFiles } from "./catalog-files.ts";
import { type ResourceReleases, releasesOf } from "./served-versions.ts";

/** A built-in resource through all releases. */
export interface ResourceHistory {
  /** As of the last release that has it. */
  readonly resource: ApiResource;
  readonly releases: ResourceReleases;
}

/** The resource with the objects of a kind; undefined if no release has one. */
export function historyOfKind(gv: GroupVersion, kind: string): ResourceHistory | undefined {
  return historyWhere(gv, (entry) => entry.kind === kind);
}

/** A resource by its name; undefined if no release has it. */
export function historyOfResource(gv: GroupVersion, resource: string): ResourceHistory | undefined {
  return historyWhere(gv, (_, name) => name === resource);
}

function historyWhere(
  gv: GroupVersion,
  matches: (entry: { readonly kind: string }, name: string) => boolean,
): ResourceHistory | undefined {
  const file = catalogFiles.file(`${gv.group === "" ? "core" : gv.group}/${gv.version}`);
  if (file === undefined) return undefined;
  for (const [name, entry] of Object.entries(file.resources ?? {})) {
    const releases = matches(entry, name) ? releasesOf({ ...gv, resource: name }) : undefined;
    if (releases === undefined) continue;
    const resource = apiResource(file, name, entry, sinceOf<AnyRelease>(releases.last));
    return { resource, releases };
  }
  return undefined;
}
