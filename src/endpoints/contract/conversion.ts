import { formatGroupVersion, type GroupVersionKind } from "../../apimachinery/group-version.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { OwnConversion } from "../../registry/contract/own-conversion.ts";
import type { KindSchema } from "../../schema/kind-schema.ts";

/** One version of a kind. */
export interface KindVersion {
  readonly gvk: GroupVersionKind;
  readonly schema: KindSchema;
}

/** How objects get from one version to another and back. */
export interface Conversion {
  readonly convert: (object: KubeObject) => KubeObject;
  readonly convertToStored: (object: MutableKubeObject) => MutableKubeObject;
}

/**
 * The conversion between the version that is stored and the one of an endpoint. Versions mostly differ in fields that
 * came and went, which the schema settles; kinds whose fields moved have a conversion of their own.
 */
export function conversionBetween(
  stored: KindVersion,
  endpoint: KindVersion,
  ownConversion: (gvk: GroupVersionKind) => OwnConversion | undefined,
): Conversion {
  if (isSame(stored.gvk, endpoint.gvk)) {
    return { convert: (object) => object, convertToStored: (object) => object };
  }
  return {
    convert: (object) => {
      const renamed = withKind(ownConversion(endpoint.gvk)?.fromStored(object) ?? object, endpoint.gvk);
      return endpoint.schema.canonicalize(renamed);
    },
    convertToStored: (object) =>
      withKind(ownConversion(endpoint.gvk)?.toStored(object) ?? object, stored.gvk),
  };
}

function isSame(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind;
}

function withKind(object: KubeObject, gvk: GroupVersionKind): MutableKubeObject {
  return { ...object, kind: gvk.kind, apiVersion: formatGroupVersion(gvk) };
}
