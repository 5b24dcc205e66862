import type { MutableJsonObject } from "../../apimachinery/json.ts";
import { isZero, sentStruct } from "../defaulting/defaulter.ts";

/** The labels of a workload's pods, a copy; undefined when the template has none. */
export function templateLabels(workload: MutableJsonObject): MutableJsonObject | undefined {
  const spec = sentStruct(workload, "spec");
  const template = spec && sentStruct(spec, "template");
  const metadata = template && sentStruct(template, "metadata");
  const labels = metadata && sentStruct(metadata, "labels");
  return labels && { ...labels };
}

/** A workload without labels has those of its pods. */
export function labelAsTemplate(workload: MutableJsonObject): void {
  const labels = templateLabels(workload);
  if (labels === undefined) return;
  const metadata = sentStruct(workload, "metadata") ?? {};
  if (isZero(metadata["labels"])) metadata["labels"] = labels;
  workload["metadata"] = metadata;
}
