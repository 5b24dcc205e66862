import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import { isJsonObject, type MutableJsonObject } from "../../apimachinery/json.ts";
import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { Defaulting } from "../../registry/contract/kind-definition.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";

/** The defaults of the kind of an endpoint. */
export interface Defaults {
  readonly gates: FeatureGates;
  /** The defaults of a version of the kind; undefined if it has none. */
  readonly defaultsOf: (gvk: GroupVersionKind) => Defaulting | undefined;
  /** The schema of a kind that arrived at run time states its own defaults. */
  readonly schema: KindSchema;
}

/** A decoded object with the defaults of its version. Changes the object in place. */
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

/** Sets kind, apiVersion and metadata, in place. */
export function asKubeObject(object: MutableJsonObject, gvk: GroupVersionKind): MutableKubeObject {
  object.kind = gvk.kind;
  object.apiVersion = formatGroupVersion(gvk);
  if (!isJsonObject(object.metadata)) object.metadata = {};
  // All required members are set above.
  return object as MutableKubeObject;
}
