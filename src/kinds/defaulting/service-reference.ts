import { type Defaulter, ifSet, whenUnset } from "./defaulter.ts";

/** The defaults of the reference to the service of a webhook or an API server. */
export const serviceReferenceDefaults: Defaulter = ifSet("service", whenUnset({ port: 443 }));
