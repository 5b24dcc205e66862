import type { MutableJsonObject } from "../../apimachinery/json.ts";
import { all, type Defaulter, isZero, sentStruct } from "../defaulting/defaulter.ts";

/** A workload without labels gets the labels of its pod template. */
export function labelsFromTemplate(workload: MutableJsonObject): void {
  const labels = templateLabels(workload);
  if (labels === undefined) return;
  const metadata = sentStruct(workload, "metadata") ?? {};
  if (isZero(metadata["labels"])) metadata["labels"] = labels;
  workload["metadata"] = metadata;
}

/** Before apps/v1beta2, the selector and the labels of a workload default to the labels of its pod template. */
export const selectorAndLabelsFromTemplate: Defaulter = all(selectorFromTemplate, labelsFromTemplate);

function selectorFromTemplate(workload: MutableJsonObject): void {
  const matchLabels = templateLabels(workload);
  const spec = sentStruct(workload, "spec");
  if (matchLabels !== undefined && spec !== undefined) spec["selector"] ??= { matchLabels };
}

/** A copy of the labels of the pod template; undefined when the template has none. */
export function templateLabels(workload: MutableJsonObject): MutableJsonObject | undefined {
  const spec = sentStruct(workload, "spec");
  const template = spec && sentStruct(spec, "template");
  const metadata = template && sentStruct(template, "metadata");
  const labels = metadata && sentStruct(metadata, "labels");
  return labels && { ...labels };
}
