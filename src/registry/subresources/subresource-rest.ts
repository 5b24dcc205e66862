import type { ApiSubresource } from "../../catalog/api-resource.ts";
import type { SubresourceRules } from "../contract/kind-definition.ts";
import type { RegistryOptions } from "../contract/registry-options.ts";
import type { ResourceAccess } from "../contract/resource-access.ts";
import type { Rest } from "../contract/rest.ts";
import type { StoredResource } from "../contract/stored-resource.ts";
import { GenericRegistry } from "../generic/generic-registry.ts";
import { scaleRest } from "./scale.ts";
import { statusStrategy } from "./status.ts";

/** The verbs of a subresource; undefined if it is not implemented. */
export function subresourceRest(
  stored: StoredResource,
  subresource: ApiSubresource,
  rules: SubresourceRules | undefined,
  access: ResourceAccess,
  options: RegistryOptions,
): Rest | undefined {
  const { served } = access;
  const { gvk } = subresource;
  const schema = served.current.kind(gvk);
  if (gvk.kind === "Scale" && rules?.rest === undefined)
    return scaleRest(stored, subresource, served.current);
  if (rules?.rest !== undefined && schema !== undefined) {
    return rules.rest(stored, { ...stored.definition, gvk, schema }, access, options);
  }
  const refine =
    rules?.versions?.[gvk.version] ??
    rules?.strategy ??
    (subresource.name === "status" ? statusStrategy : undefined);
  if (refine === undefined) return undefined;
  const strategy = refine(stored.strategy, {
    gates: options.gates,
    schema: stored.definition.schema,
    expressionMetrics: options.expressionMetrics,
  });
  return onlyReadAndUpdate(new GenericRegistry({ ...stored, strategy }));
}

function onlyReadAndUpdate({ definition, codec, get, update }: GenericRegistry): Rest {
  return { definition, codec, get, update };
}
