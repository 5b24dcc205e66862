import { type Defaulter, ifSet, inStruct } from "../../defaulting/defaulter.ts";
import {
  alphaClaimSpecDefaults,
  claimSpecDefaults,
  earlyClaimSpecDefaults,
} from "../devices/device-request-defaults.ts";

/** ResourceClaimTemplate since v1beta2. */
export const resourceClaimTemplateDefaults: Defaulter = ifSet("spec", ifSet("spec", claimSpecDefaults));

/** ResourceClaimTemplate of v1alpha3 and v1beta1. */
export const earlyResourceClaimTemplateDefaults: Defaulter = ifSet(
  "spec",
  ifSet("spec", earlyClaimSpecDefaults),
);

/** ResourceClaimTemplate of v1alpha1 and v1alpha2. */
export const alphaResourceClaimTemplateDefaults: Defaulter = inStruct(
  "spec",
  inStruct("spec", alphaClaimSpecDefaults),
);
