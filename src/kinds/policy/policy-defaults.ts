import { type Defaulter, inStruct, whenUnset } from "../defaulting/defaulter.ts";

/** PodSecurityPolicy: those from before the field was there go on allowing what they allowed. */
export const podSecurityPolicyDefaults: Defaulter = inStruct(
  "spec",
  whenUnset({ allowPrivilegeEscalation: true }),
);
