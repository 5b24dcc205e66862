import type { ApiResource } from "../../catalog/api-resource.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { ResourceDefinition } from "./rest.ts";

/** @throws {Error} when the catalog has no type for a kind that it lists */
export function definitionOf(entry: ApiResource, catalog: Catalog): ResourceDefinition {
  const gvk = { group: entry.group, version: entry.version, kind: entry.kind };
  const schema = catalog.kind(gvk);
  if (schema === undefined)
    throw new Error(`the catalog has no type ${entry.kind} in ${entry.group}/${entry.version}`);
  return {
    groupResource: { group: entry.group, resource: entry.resource },
    gvk,
    schema,
    namespaced: entry.namespaced,
  };
}
