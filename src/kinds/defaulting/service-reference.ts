import { type Defaulter, ifSet, whenUnset } from "./defaulter.ts";

/** The `service` that a webhook or an API server is reached by, where there is one. */
export const serviceReferenceDefaults: Defaulter = ifSet("service", whenUnset({ port: 443 }));
