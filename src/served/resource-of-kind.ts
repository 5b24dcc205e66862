import { parseGroupVersion } from "../apimachinery/group-version.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Catalog } from "../catalog/catalog.ts";

/** The resource whose objects are of this kind; undefined where the release serves none. */
export function resourceOfKind(catalog: Catalog, apiVersion: string, kind: string): ApiResource | undefined {
  const gv = parseGroupVersion(apiVersion);
  return gv && catalog.resources(gv).find((resource) => resource.kind === kind);
}
