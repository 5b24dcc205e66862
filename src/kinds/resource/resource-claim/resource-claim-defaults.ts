import { all, type Defaulter, each, ifSet, inStruct } from "../../defaulting/defaulter.ts";
import {
  alphaClaimSpecDefaults,
  claimSpecDefaults,
  earlyClaimSpecDefaults,
  tolerationDefaults,
} from "../devices/device-request-defaults.ts";

const statusDefaults = ifSet(
  "status",
  ifSet("allocation", ifSet("devices", each("results", tolerationDefaults))),
);

/** ResourceClaim since v1beta2. */
export const resourceClaimDefaults: Defaulter = all(ifSet("spec", claimSpecDefaults), statusDefaults);

/** ResourceClaim of v1alpha3 and v1beta1. */
export const earlyResourceClaimDefaults: Defaulter = all(
  ifSet("spec", earlyClaimSpecDefaults),
  statusDefaults,
);

/** ResourceClaim of v1alpha1 and v1alpha2. */
export const alphaResourceClaimDefaults: Defaulter = inStruct("spec", alphaClaimSpecDefaults);
