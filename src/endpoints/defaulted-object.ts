import { formatGroupVersion, type GroupVersionKind } from "../apimachinery/group-version.ts";
import { isJsonObject, type MutableJsonObject } from "../apimachinery/json.ts";
import type { MutableKubeObject } from "../apimachinery/object-meta.ts";
import type { FeatureGates } from "../catalog/feature-gates.ts";
import { defaultingOf } from "../registry/defaulting.ts";

/** What has just been decoded as an object of its kind, with the defaults of its version. Shares parts with `object`. */
export function defaultedObject(
  object: MutableJsonObject,
  gvk: GroupVersionKind,
  gates: FeatureGates,
): MutableKubeObject {
  const result = asKubeObject(object, gvk);
  defaultingOf(gvk)?.(result, gates);
  return result;
}

/** Makes sure of the parts that every object has. */
export function asKubeObject(object: MutableJsonObject, gvk: GroupVersionKind): MutableKubeObject {
  const { metadata } = object;
  return {
    ...object,
    kind: gvk.kind,
    apiVersion: formatGroupVersion(gvk),
    metadata: isJsonObject(metadata) ? { ...metadata } : {},
  };
}
