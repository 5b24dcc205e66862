import type { ApiSubresource } from "../../catalog/api-resource.ts";
import type { ApiView } from "../../served/api-view.ts";
import type { ResourceDefinition, Rest } from "../contract/rest.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import type { Scaling } from "./scale-verbs.ts";

/** A workload as a Scale, whose verbs are loaded with the first request; undefined if the server does not have the kind. */
export function scaleRest(
  stored: StoredResource,
  subresource: Pick<ApiSubresource, "gvk">,
  view: ApiView,
  scaling?: Scaling,
): Rest | undefined {
  const schema = view.kind(subresource.gvk);
  if (schema === undefined) return undefined;
  const definition: ResourceDefinition = { ...stored.definition, gvk: subresource.gvk, schema };
  const load = async () => (await import("./scale-verbs.ts")).scaleVerbs(stored, definition, scaling);
  return {
    definition,
    get: async (key) => (await load()).get(key),
    update: async (key, propose, options) => (await load()).update(key, propose, options),
  };
}
