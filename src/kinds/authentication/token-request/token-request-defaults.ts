import { type Defaulter, inStruct, whenUnset } from "../../defaulting/defaulter.ts";

/** TokenRequest */
export const tokenRequestDefaults: Defaulter = inStruct("spec", whenUnset({ expirationSeconds: 3600 }));
