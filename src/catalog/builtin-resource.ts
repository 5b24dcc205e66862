import type { GroupVersionKind } from "../apimachinery/group-version.ts";
import type { AnyRelease, Since } from "../apimachinery/release.ts";
import type { ApiResource, ApiSubresource, Lifecycle } from "./api-resource.ts";
import {
  atRelease,
  type CatalogFile,
  isPresent,
  type ResourceEntry,
  type SubresourceEntry,
} from "./catalog-file.ts";

/** A resource of the catalog as of a release. */
export function apiResource(
  file: CatalogFile,
  name: string,
  historic: ResourceEntry,
  since: Since<AnyRelease>,
): ApiResource {
  const entry = atRelease(historic, since);
  return {
    group: file.group,
    version: file.version,
    resource: name,
    kind: entry.kind,
    singular: entry.singular,
    namespaced: entry.namespaced,
    verbs: entry.verbs,
    shortNames: entry.shortNames ?? [],
    categories: entry.categories ?? [],
    subresources: subresources(file, entry, since),
    lifecycle: lifecycle(file, entry),
  };
}

function subresources(
  file: CatalogFile,
  resource: ResourceEntry,
  since: Since<AnyRelease>,
): ReadonlyMap<string, ApiSubresource> {
  const found = new Map<string, ApiSubresource>();
  const entries = Object.entries(resource.subresources ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, historic] of entries) {
    if (!isOn(historic, since)) continue;
    const entry = atRelease(historic, since);
    const gvk: GroupVersionKind = {
      group: entry.group ?? file.group,
      version: entry.version ?? file.version,
      kind: entry.kind,
    };
    found.set(name, { name, gvk, verbs: entry.verbs, connect: entry.connect ?? [] });
  }
  return found;
}

function isOn(entry: SubresourceEntry, since: Since<AnyRelease>): boolean {
  if (!isPresent(entry, since)) return false;
  return entry.enabledSince === undefined || since(entry.enabledSince);
}

function lifecycle(file: CatalogFile, entry: ResourceEntry): Lifecycle {
  const replacement = entry.replacement ?? file.replacement;
  return {
    introduced: entry.since ?? file.since,
    deprecated: entry.deprecated ?? file.deprecated,
    removed: entry.plannedRemoval ?? file.plannedRemoval ?? entry.removed ?? file.removed,
    replacement: replacement && { kind: entry.kind, ...replacement },
  };
}
