import type { Awaitable } from "../../apimachinery/awaitable.ts";
import { formatGroupVersion } from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { sharePartsOf } from "../../sharing/shared-parts.ts";
import type { FieldManagers } from "../contract/field-managers.ts";
import type { ResourceScope } from "../contract/scope.ts";

/** The endpoint and the manager of a write. */
export interface WriteOrigin {
  readonly scope: ResourceScope;
  readonly fieldManagers: FieldManagers;
  /** Undefined if the object already has its managedFields, as after an apply, or if the endpoint has none. */
  readonly manager: string | undefined;
}

/**
 * Prepares a written object for admission, in place: it shares its equal parts with the object that it replaces, or with
 * the object created last, and sets its managedFields. Later stages recognize shared parts by their identity and do not
 * process them again.
 */
export function prepareWrite(
  object: MutableKubeObject,
  replaced: KubeObject | undefined,
  { scope, fieldManagers, manager }: WriteOrigin,
): Awaitable<MutableKubeObject> {
  const latest = replaced === undefined ? latestObject(scope) : undefined;
  const similar = replaced ?? latest;
  if (similar !== undefined) sharePartsOf(similar, object);
  return manager === undefined ? object : fieldManagers.of(scope).update(replaced, object, manager, latest);
}

/** The object created last, if it is stored in the version of the endpoint. */
function latestObject({ rest, gvk }: ResourceScope): KubeObject | undefined {
  const latest = rest.latest?.object;
  return latest?.apiVersion === formatGroupVersion(gvk) ? latest : undefined;
}
