import { type Defaulter, ifSet, inStruct, whenUnset } from "../../defaulting/defaulter.ts";
import { serviceReferenceDefaults } from "../../defaulting/service-reference.ts";

/** AuditSink of v1alpha1. */
export const auditSinkDefaults: Defaulter = inStruct(
  "spec",
  inStruct(
    "webhook",
    inStruct("throttle", whenUnset({ qps: 10, burst: 15 })),
    ifSet("clientConfig", serviceReferenceDefaults),
  ),
);
