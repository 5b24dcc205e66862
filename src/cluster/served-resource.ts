import { parseGroupVersion } from "../apimachinery/group-version.ts";
import type { ApiResource } from "../catalog/api-resource.ts";
import type { Catalog } from "../catalog/catalog.ts";

/** The resource that a kind is served as. @throws {Error} for a kind that this release does not serve */
export function servedResource(catalog: Catalog, apiVersion: string, kind: string): ApiResource {
  const gv = parseGroupVersion(apiVersion);
  const found = gv && catalog.resources(gv).find((resource) => resource.kind === kind);
  if (found !== undefined) return found;
  throw new Error(`release ${catalog.release} serves no kind ${kind} in ${apiVersion}`);
}
