import type { MutableJsonObject } from "../../apimachinery/json.ts";
import { isZero, structAt } from "../defaulting/defaulter.ts";

/** The labels of a workload's pods, a copy; undefined when the template has none. */
export function templateLabels(workload: MutableJsonObject): MutableJsonObject | undefined {
  const spec = structAt(workload, "spec");
  const template = spec && structAt(spec, "template");
  const metadata = template && structAt(template, "metadata");
  const labels = metadata && structAt(metadata, "labels");
  return labels && { ...labels };
}

/** A workload without labels has those of its pods. */
export function labelAsTemplate(workload: MutableJsonObject): void {
  const labels = templateLabels(workload);
  if (labels === undefined) return;
  const metadata = structAt(workload, "metadata") ?? {};
  if (isZero(metadata["labels"])) metadata["labels"] = labels;
  workload["metadata"] = metadata;
}
