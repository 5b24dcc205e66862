import { type Defaulter, whenUnset } from "../../defaulting/defaulter.ts";

/** PriorityClass. Upstream: pkg/apis/scheduling/v1/defaults.go, SetDefaults_PriorityClass. */
export const priorityClassDefaults: Defaulter = whenUnset({ preemptionPolicy: "PreemptLowerPriority" });
