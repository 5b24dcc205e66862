import { whenReady } from "../../apimachinery/awaitable.ts";
import { queryEscape } from "../../apimachinery/go/go-query-escape.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { ApiResource, ApiSubresource } from "../../catalog/api-resource.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { Conversion } from "./conversion.ts";

/** The path of an object at an endpoint; undefined for objects without a name, such as reviews. */
export type SelfLinkOf = (object: KubeObject) => string | undefined;

/**
 * The links that the objects of an endpoint have in responses up to 1.19; undefined later. Upstream: apiserver,
 * pkg/endpoints/handlers/namer.go, ContextBasedNaming.
 */
export function selfLinksOf(
  { group, version, resource, namespaced }: ApiResource,
  subresource: ApiSubresource | undefined,
  gates: FeatureGates,
): SelfLinkOf | undefined {
  if (gates.isEnabled("RemoveSelfLink")) return undefined;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const suffix = subresource === undefined ? "" : `/${subresource.name}`;
  return ({ metadata: { name, namespace = "" } }) => {
    if (name === undefined || name === "") return undefined;
    const within = namespaced ? `${root}/namespaces/${queryEscape(namespace)}` : root;
    return `${within}/${resource}/${queryEscape(name)}${suffix}`;
  };
}

/** The object with its link, which in canonical order follows the namespace. */
export function withSelfLink(object: KubeObject, selfLinkOf: SelfLinkOf | undefined): KubeObject {
  const selfLink = selfLinkOf?.(object);
  if (selfLink === undefined) return object;
  const { name, generateName, namespace, ...rest } = object.metadata;
  const metadata = {
    ...(name !== undefined && { name }),
    ...(generateName !== undefined && { generateName }),
    ...(namespace !== undefined && { namespace }),
    selfLink,
    ...rest,
  };
  return { ...object, metadata };
}

/** A conversion for responses, whose objects have links. */
export function withSelfLinks(conversion: Conversion, selfLinkOf: SelfLinkOf | undefined): Conversion {
  if (selfLinkOf === undefined) return conversion;
  return {
    ...conversion,
    isIdentity: false,
    convert: (objects) =>
      whenReady(conversion.convert(objects), (shown) =>
        shown.map((object) => withSelfLink(object, selfLinkOf)),
      ),
  };
}
