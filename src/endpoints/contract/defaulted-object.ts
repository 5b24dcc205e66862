import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import { isJsonObject, type MutableJsonObject } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { Defaulting } from "../../registry/contract/kind-definition.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";

/** What a scope knows of the defaults of its kind. */
export interface Defaults {
  readonly gates: FeatureGates;
  /** The defaults of a version of the kind; undefined for one without, of which nothing need be looked at. */
  readonly defaultsOf: (gvk: GroupVersionKind) => Defaulting | undefined;
  /** States defaults itself if the kind arrived at run time. */
  readonly schema: KindSchema;
}

/** What has just been decoded as an object of its kind, with the defaults of its version. Changed in place. */
export function defaultedObject(
  object: MutableJsonObject,
  gvk: GroupVersionKind,
  { gates, defaultsOf, schema }: Defaults,
): MutableKubeObject {
  const result = asKubeObject(object, gvk);
  schema.setDefaults(result);
  defaultsOf(gvk)?.(result, gates);
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
