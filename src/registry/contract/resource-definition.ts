import type { ApiResource } from "../../catalog/api-resource.ts";
import type { ApiView } from "../../served/api-view.ts";
import type { ResourceDefinition } from "./rest.ts";

/** @throws {Error} when there is no schema for a kind that is served */
export function definitionOf(entry: ApiResource, view: ApiView): ResourceDefinition {
  const gvk = { group: entry.group, version: entry.version, kind: entry.kind };
  const schema = view.kind(gvk);
  if (schema === undefined)
    throw new Error(`there is no schema for ${entry.kind} in ${entry.group}/${entry.version}`);
  return {
    groupResource: { group: entry.group, resource: entry.resource },
    gvk,
    schema,
    namespaced: entry.namespaced,
  };
}
