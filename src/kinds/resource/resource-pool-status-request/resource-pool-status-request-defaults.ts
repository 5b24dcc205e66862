import { type Defaulter, inStruct, whenUnset } from "../../defaulting/defaulter.ts";

export const resourcePoolStatusRequestDefaults: Defaulter = inStruct("spec", whenUnset({ limit: 100 }));
