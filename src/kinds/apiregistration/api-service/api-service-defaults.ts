import { type Defaulter, ifSet } from "../../defaulting/defaulter.ts";
import { serviceReferenceDefaults } from "../../defaulting/service-reference.ts";

/** APIService */
export const apiServiceDefaults: Defaulter = ifSet("spec", serviceReferenceDefaults);
