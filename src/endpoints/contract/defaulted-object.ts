import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import { isJsonObject, type MutableJsonObject } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { defaultingOf } from "../../kinds/defaulting.ts";

/** What has just been decoded as an object of its kind, with the defaults of its version. Changed in place. */
export function defaultedObject(
  object: MutableJsonObject,
  gvk: GroupVersionKind,
  gates: FeatureGates,
): MutableKubeObject {
  const result = asKubeObject(object, gvk);
  defaultingOf(gvk)?.(result, gates);
  return result;
}

/** Makes sure of the parts that every object has, in place. */
export function asKubeObject(object: MutableJsonObject, gvk: GroupVersionKind): MutableKubeObject {
  object.kind = gvk.kind;
  object.apiVersion = formatGroupVersion(gvk);
  if (!isJsonObject(object.metadata)) object.metadata = {};
  // It has them now.
  return object as MutableKubeObject;
}
