import {
  type GoType,
  goInteger,
  goPointer,
  goSlice,
  goStruct,
  goText,
} from "../../../apimachinery/go/go-type.ts";

const pattern = goStruct("batch.PodFailurePolicyOnPodConditionsPattern", [
  ["Type", "type", goText],
  ["Status", "status", goText],
]);

const onExitCodes = goStruct("batch.PodFailurePolicyOnExitCodesRequirement", [
  ["ContainerName", "containerName", goPointer("string")],
  ["Operator", "operator", goText],
  ["Values", "values", goSlice("int32", goInteger)],
]);

const failureRule = goStruct("batch.PodFailurePolicyRule", [
  ["Action", "action", goText],
  ["OnExitCodes", "onExitCodes", goPointer("batch.PodFailurePolicyOnExitCodesRequirement", onExitCodes)],
  ["OnPodConditions", "onPodConditions", goSlice("batch.PodFailurePolicyOnPodConditionsPattern", pattern)],
]);

const successRule = goStruct("batch.SuccessPolicyRule", [
  ["SucceededIndexes", "succeededIndexes", goPointer("string")],
  ["SucceededCount", "succeededCount", goPointer("int32")],
]);

/** Upstream's internal types, which findings show. */
export const goPodFailurePolicy: GoType = goStruct("batch.PodFailurePolicy", [
  ["Rules", "rules", goSlice("batch.PodFailurePolicyRule", failureRule)],
]);

export const goSuccessPolicy: GoType = goStruct("batch.SuccessPolicy", [
  ["Rules", "rules", goSlice("batch.SuccessPolicyRule", successRule)],
]);

export const goExitCodes: GoType = goSlice("int32", goInteger);

export const goUncountedPods: GoType = goStruct("batch.UncountedTerminatedPods", [
  ["Succeeded", "succeeded", goSlice("types.UID", goText)],
  ["Failed", "failed", goSlice("types.UID", goText)],
]);
