import type { MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { ApiResource, ApiSubresource } from "../../catalog/api-resource.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { EncodingTarget } from "../../codec/encode.ts";
import type { FieldSelectors } from "../../registry/contract/field-selectors.ts";
import type { Rest } from "../../registry/contract/rest.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { ResourceRequestInfo } from "../../request/request-info.ts";

/** What a handler knows of the resource it serves, in the version that the request names. */
export interface ResourceScope extends EncodingTarget {
  readonly resource: ApiResource;
  readonly subresource: ApiSubresource | undefined;
  readonly rest: Rest;
  readonly gates: FeatureGates;
  /** Whether objects of this endpoint say who owns their fields: those that are written as they are. */
  readonly tracksFields: boolean;
  /** From this version to the stored one; the identity where they are the same. */
  readonly convertToStored: (object: MutableKubeObject) => MutableKubeObject;
  /** Reads a field as this version's selectors name it. */
  readonly fieldSelectors: FieldSelectors;
}

/** A request about a resource. */
export type ResourceContext = RequestContext<ResourceRequestInfo>;
