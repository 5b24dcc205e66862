import { type Defaulter, ifSet } from "../../defaulting/defaulter.ts";
import { serviceReferenceDefaults } from "../../defaulting/service-reference.ts";

/** APIService of v1 and v1beta1. */
export const apiServiceDefaults: Defaulter = ifSet("spec", serviceReferenceDefaults);
