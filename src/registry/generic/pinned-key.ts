import { pathSegmentName } from "../../apimachinery/validation/names.ts";
import type { ObjectKey } from "../contract/object-key.ts";
import type { ListQuery } from "../contract/rest.ts";

/**
 * The only object that the list can contain if its selector requires a name and a namespace; upstream reads that key
 * alone. Not for a list that continues.
 */
export function pinnedKey(
  { namespaced }: { readonly namespaced: boolean },
  { namespace, predicate, continueToken }: Pick<ListQuery, "namespace" | "predicate" | "continueToken">,
): ObjectKey | undefined {
  const { name } = predicate;
  if (name === undefined || name === "" || continueToken !== "") return undefined;
  if (pathSegmentName(name, "name").length > 0) return undefined;
  if (!namespaced) return { namespace: "", name };
  const within = namespace !== "" ? namespace : (predicate.namespace ?? "");
  return within === "" ? undefined : { namespace: within, name };
}
