import type { ApiResource, ApiSubresource } from "../../catalog/api-resource.ts";
import type { EncodingTarget } from "../../codec/encode.ts";
import type { FieldSelectors } from "../../registry/contract/field-selectors.ts";
import type { Rest } from "../../registry/contract/rest.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { ResourceRequestInfo } from "../../request/request-info.ts";
import type { Conversion, ConversionOf } from "./conversion.ts";
import type { Defaults } from "./defaulted-object.ts";

/** What a handler knows of the resource it serves, in the version that the request names. */
export interface ResourceScope extends EncodingTarget, Defaults {
  readonly resource: ApiResource;
  readonly subresource: ApiSubresource | undefined;
  readonly rest: Rest;
  /** What the kind does differently on the way from the stored version to another. */
  readonly conversionOf: ConversionOf;
  readonly conversion: Conversion;
  /** The only fields that a write through this endpoint owns; undefined if it may own all that it does not reset. */
  readonly ownedFields: readonly string[] | undefined;
  /** Whether objects of this endpoint say who owns their fields: those that are written as they are. */
  readonly tracksFields: boolean;
  /** Reads a field as this version's selectors name it. */
  readonly fieldSelectors: FieldSelectors;
}

/** A request about a resource. */
export type ResourceContext = RequestContext<ResourceRequestInfo>;
