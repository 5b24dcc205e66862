import type { OwnConversion } from "../../../registry/contract/own-conversion.ts";
import { endpointFromBeta, endpointToBeta, withEndpoints } from "./endpoint-topology.ts";

/** v1beta1 of a stored v1: with a topology instead of a zone. */
export const endpointSliceV1beta1: OwnConversion = {
  fromStored: (slice) => withEndpoints(slice, endpointToBeta),
  toStored: (slice) => withEndpoints(slice, endpointFromBeta),
};

/** v1 of a stored v1beta1. */
export const endpointSliceV1: OwnConversion = {
  fromStored: (slice) => withEndpoints(slice, endpointFromBeta),
  toStored: (slice) => withEndpoints(slice, endpointToBeta),
};
