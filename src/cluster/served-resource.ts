import { formatGroupVersion } from "../apimachinery/group-version.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { resourceOfKind } from "../served/resource-of-kind.ts";

/** The resource that serves a kind. @throws {Error} for a kind that this release does not serve */
export function servedResource(catalog: Catalog, apiVersion: string, kind: string): ApiResource {
  const found = resourceOfKind(catalog, apiVersion, kind);
  if (found !== undefined) return found;
  throw new Error(`Kubernetes ${catalog.release} does not serve ${kind} in ${apiVersion}`);
}

/**
 * The resource whose subresource accepts objects of a kind: the resource's own kind for `status`, another kind for
 * `eviction`.
 * @throws {Error} for a kind that this release does not serve, or that several resources accept, such as Scale
 */
export function parentResource(
  catalog: Catalog,
  apiVersion: string,
  kind: string,
  subresource: string,
): ApiResource {
  const own = resourceOfKind(catalog, apiVersion, kind);
  if (own?.subresources.has(subresource)) return own;
  const parents = catalog
    .groupVersions()
    .flatMap((gv) => catalog.resources(gv))
    .filter(({ subresources }) => {
      const gvk = subresources.get(subresource)?.gvk;
      return gvk !== undefined && gvk.kind === kind && formatGroupVersion(gvk) === apiVersion;
    });
  if (parents.length > 1) {
    const names = parents.map(
      ({ resource, version, group }) => `${resource}.${version}${group && `.${group}`}`,
    );
    throw new Error(
      `${kind} belongs to several resources (${names.join(", ")}): patch the ${subresource} of one of them`,
    );
  }
  return parents[0] ?? servedResource(catalog, apiVersion, kind);
}
