import type { OwnConversion } from "../../../registry/contract/own-conversion.ts";
import { ingressFromBeta, ingressToBeta } from "./ingress-backends.ts";

/** v1beta1 of a stored v1: with name and port of a service side by side. */
export const ingressV1beta1: OwnConversion = { fromStored: ingressToBeta, toStored: ingressFromBeta };

/** v1 of a stored v1beta1. */
export const ingressV1: OwnConversion = { fromStored: ingressFromBeta, toStored: ingressToBeta };
