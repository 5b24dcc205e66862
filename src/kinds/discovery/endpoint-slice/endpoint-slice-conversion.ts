import type { OwnConversion } from "../../../registry/contract/own-conversion.ts";
import { endpointFromBeta, endpointToBeta, withEndpoints } from "./endpoint-topology.ts";

/** EndpointSlices that are stored as v1, as v1beta1 had them: with a topology instead of a zone. */
export const endpointSliceV1beta1: OwnConversion = {
  fromStored: (slice) => withEndpoints(slice, endpointToBeta),
  toStored: (slice) => withEndpoints(slice, endpointFromBeta),
};

/** EndpointSlices that are stored as v1beta1, as v1 has them. */
export const endpointSliceV1: OwnConversion = {
  fromStored: (slice) => withEndpoints(slice, endpointFromBeta),
  toStored: (slice) => withEndpoints(slice, endpointToBeta),
};
