import { formatGroupVersion } from "../apimachinery/group-version.ts";
import { nearestName } from "../apimachinery/nearest-name.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { ApiView } from "../served/api-view.ts";

/** The resource that serves a kind. @throws {Error} for a kind that the cluster does not serve */
export function servedResource(view: ApiView, apiVersion: string, kind: string): ApiResource {
  const found = view.resourceOfKind(apiVersion, kind);
  if (found !== undefined) return found;
  throw new Error(
    `Kubernetes ${view.release} does not serve ${kind} in ${apiVersion}${suggestion(view, apiVersion, kind)}`,
  );
}

/** The API versions that serve the kind, or else the nearest kind of this one or of any API version. */
function suggestion(view: ApiView, apiVersion: string, kind: string): string {
  const versionsOf = new Map<string, string[]>();
  for (const gv of view.groupVersions()) {
    for (const { kind: served } of view.resources(gv)) {
      versionsOf.set(served, [...(versionsOf.get(served) ?? []), formatGroupVersion(gv)]);
    }
  }
  const versions = versionsOf.get(kind);
  if (versions !== undefined) return `; did you mean ${versions.join(" or ")}?`;
  const kinds = [...versionsOf.keys()];
  const inVersion = kinds.filter((known) => versionsOf.get(known)?.includes(apiVersion));
  const nearest = nearestName(kind, inVersion) ?? nearestName(kind, kinds);
  if (nearest === undefined) return "";
  return inVersion.includes(nearest)
    ? `; did you mean ${nearest}?`
    : `; did you mean ${nearest} in ${versionsOf.get(nearest)?.join(" or ")}?`;
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
  const known = view.derived(knownParents);
  const key = [apiVersion, kind, subresource].join();
  const parent = known.get(key) ?? foundParent(view, apiVersion, kind, subresource);
  if (parent === undefined) return servedResource(view, apiVersion, kind);
  known.set(key, parent);
  return parent;
}

/** Those of the few subresources whose objects have another kind. */
function knownParents(): Map<string, ApiResource> {
  return new Map();
}

function foundParent(
  view: ApiView,
  apiVersion: string,
  kind: string,
  subresource: string,
): ApiResource | undefined {
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
  return parents[0];
}
