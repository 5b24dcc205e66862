import { formatGroupVersion } from "../apimachinery/group-version.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { ApiView } from "../served/api-view.ts";

/** The resource that serves a kind. @throws {Error} for a kind that the cluster does not serve */
export function servedResource(view: ApiView, apiVersion: string, kind: string): ApiResource {
  const found = view.resourceOfKind(apiVersion, kind);
  if (found !== undefined) return found;
  throw new Error(`Kubernetes ${view.release} does not serve ${kind} in ${apiVersion}`);
}

/**
 * The resource whose subresource accepts objects of a kind: the resource's own kind for `status`, another kind for
 * `eviction`.
 * @throws {Error} for a kind that the cluster does not serve, or that several resources accept, such as Scale
 */
export function parentResource(
  view: ApiView,
  apiVersion: string,
  kind: string,
  subresource: string,
): ApiResource {
  const own = view.resourceOfKind(apiVersion, kind);
  if (own?.subresources.has(subresource)) return own;
  const parents = view
    .groupVersions()
    .flatMap((gv) => view.resources(gv))
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
  return parents[0] ?? servedResource(view, apiVersion, kind);
}
