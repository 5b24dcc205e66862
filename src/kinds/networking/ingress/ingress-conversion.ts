import type { OwnConversion } from "../../../registry/contract/own-conversion.ts";
import { ingressFromBeta, ingressToBeta } from "./ingress-backends.ts";

/**
 * Ingresses that are stored as v1, as v1beta1 had them: with the name and the port of a service beside each other.
 */
export const ingressV1beta1: OwnConversion = { fromStored: ingressToBeta, toStored: ingressFromBeta };

/** Ingresses that are stored as v1beta1, as v1 has them. */
export const ingressV1: OwnConversion = { fromStored: ingressFromBeta, toStored: ingressToBeta };
