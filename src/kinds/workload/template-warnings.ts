import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { podTemplateWarnings } from "../pod-spec/warnings/pod-warnings.ts";
import { hasNewGeneration, templateOf, templatePath } from "./pod-template.ts";

/** The warnings for the pod template of a new workload. */
export function newTemplateWarnings(workload: JsonObject, gates: FeatureGates): readonly string[] {
  return podTemplateWarnings(templateOf(workload), templatePath, gates);
}

/** The warnings for the pod template on update; none unless the generation has changed. */
export function templateWarnings(
  workload: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): readonly string[] {
  return hasNewGeneration(workload, old) ? newTemplateWarnings(workload, gates) : [];
}
