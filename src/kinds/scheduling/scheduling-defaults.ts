import { type Defaulter, inStruct, whenUnset } from "../defaulting/defaulter.ts";

/** PriorityClass */
export const priorityClassDefaults: Defaulter = whenUnset({ preemptionPolicy: "PreemptLowerPriority" });

/** PodGroup */
export const podGroupDefaults: Defaulter = inStruct("spec", whenUnset({ disruptionMode: "Pod" }));
