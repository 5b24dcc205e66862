import { type Defaulter, inStruct, whenUnset } from "../../defaulting/defaulter.ts";

/** TokenRequest of v1. */
export const tokenRequestDefaults: Defaulter = inStruct("spec", whenUnset({ expirationSeconds: 3600 }));
