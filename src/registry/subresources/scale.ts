import type { JsonObject, JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ApiSubresource } from "../../catalog/api-resource.ts";
import type { ReplicasPaths } from "../../patch/apply/scale-entries.ts";
import type { ApiView } from "../../served/api-view.ts";
import type { ResourceDefinition, Rest } from "../contract/rest.ts";
import type { StoredResource } from "../contract/stored-resource.ts";

/** How a kind is scaled, if it is no built-in workload. */
export interface Scaling {
  /** The path of the replicas in each version of the kind. */
  readonly paths: ReplicasPaths;
  /** The spec and the status of the scale. @throws {StatusError} for an object that has no replicas */
  readonly read: (object: KubeObject) => JsonObject;
  readonly write: (object: KubeObject, replicas: JsonValue) => KubeObject;
}

/** The verbs of a Scale. */
export type ScaleVerbs = Required<Pick<Rest, "get" | "update">>;

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
