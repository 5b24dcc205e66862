import type { JsonObject } from "../../apimachinery/json.ts";
import type { ApiResource, ApiSubresource } from "../../catalog/api-resource.ts";
import type { EncodingTarget } from "../../codec/encoding-target.ts";
import type { Formats } from "../../codec/media-types/formats.ts";
import type { Printer } from "../../codec/tables/printer.ts";
import type { FieldSelectors } from "../../registry/contract/field-selectors.ts";
import type { Rest } from "../../registry/contract/rest.ts";
import type { RequestContext } from "../../request/request-context.ts";
import type { ResourceRequestInfo } from "../../request/request-info.ts";
import type { Conversion, ConversionOf } from "./conversion.ts";
import type { Defaults } from "./defaulted-object.ts";
import type { SelfLinkOf } from "./self-link.ts";

/** A resource or subresource in the version of the request. */
export interface ResourceScope extends EncodingTarget, Defaults {
  readonly resource: ApiResource;
  readonly subresource: ApiSubresource | undefined;
  readonly rest: Rest;
  /** The formats of requests and responses. */
  readonly formats: Formats;
  /** The conversions of the kind between the storage version and other versions. */
  readonly conversionOf: ConversionOf;
  /** Between the objects that the verbs handle and those of the endpoint. */
  readonly conversion: Conversion;
  /** From what the verbs return, which is as it is stored. */
  readonly storedConversion: Conversion;
  /** The conversion for responses, in which objects of old releases have links to themselves. */
  readonly shownConversion: Conversion;
  /** The link of an object to itself; undefined since 1.20. */
  readonly selfLinkOf: SelfLinkOf | undefined;
  /**
   * The only fields that a write through this endpoint owns; undefined if it owns all fields that it does not reset.
   */
  readonly ownedFields: readonly string[] | undefined;
  /** Whether objects of this endpoint have managedFields: those that are written as they are. */
  readonly tracksFields: boolean;
  /**
   * The specs of stored objects that decoding and defaults leave as they are. Most patches and applies leave the spec as it was, and
   * then neither of the two needs to visit it.
   */
  readonly completeSpecs: WeakSet<JsonObject>;
  /** What makes the rows of Tables. */
  readonly loadPrinter: () => Promise<Printer | undefined>;
  /** The field selectors of this version. */
  readonly fieldSelectors: FieldSelectors;
}

/** A request about a resource. */
export type ResourceContext = RequestContext<ResourceRequestInfo>;
