import { type Defaulter, inStruct, whenUnset } from "../../defaulting/defaulter.ts";

/** PodGroup of scheduling.k8s.io/v1alpha2. */
export const podGroupDefaults: Defaulter = inStruct("spec", whenUnset({ disruptionMode: "Pod" }));
