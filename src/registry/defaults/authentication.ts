import { type Defaulter, inStruct, whenUnset } from "./defaulter.ts";

/** TokenRequest */
export const tokenRequestDefaults: Defaulter = inStruct("spec", whenUnset({ expirationSeconds: 3600 }));
