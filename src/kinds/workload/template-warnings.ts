import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { podTemplateWarnings } from "../pod-spec/warnings/pod-warnings.ts";
import { hasNewGeneration, templateOf, templatePath } from "./pod-template.ts";

/** What to say about the template of a new workload. */
export function newTemplateWarnings(workload: JsonObject, gates: FeatureGates): readonly string[] {
  return podTemplateWarnings(templateOf(workload), templatePath, gates);
}

/** What to say about the template of a changed workload: nothing, unless the change counted a generation. */
export function templateWarnings(
  workload: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): readonly string[] {
  return hasNewGeneration(workload, old) ? newTemplateWarnings(workload, gates) : [];
}
