import { type Defaulter, ifSet } from "./defaulter.ts";
import { serviceReferenceDefaults } from "./service-reference.ts";

/** APIService */
export const apiServiceDefaults: Defaulter = ifSet("spec", serviceReferenceDefaults);
