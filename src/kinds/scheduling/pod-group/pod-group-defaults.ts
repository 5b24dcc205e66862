import { type Defaulter, inStruct, whenUnset } from "../../defaulting/defaulter.ts";

/** The defaults in the spec of a PodGroup. Upstream: pkg/apis/scheduling/v1alpha2/zz_generated.defaults.go. */
export const podGroupSpecDefaults = { disruptionMode: "Pod" } as const;

/** PodGroup of scheduling.k8s.io/v1alpha2. */
export const podGroupDefaults: Defaulter = inStruct("spec", whenUnset(podGroupSpecDefaults));
