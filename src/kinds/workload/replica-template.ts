import { structAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { Findings } from "../findings/findings.ts";
import { validatePodTemplateSpec } from "../pod-spec/validation/pod-template.ts";
import { templateValidationOptions } from "../pod-spec/validation/pod-validation-options.ts";
import { addUnlessAlwaysRunning, templateOf, templatePath } from "./pod-template.ts";
import { addUnlessSelected, understoodSelector } from "./workload-selector.ts";

/** What is wrong with the pods of a ReplicaSet, or of a Deployment, whose pods are those of its ReplicaSets. */
export function addReplicaTemplate(
  errors: Findings,
  workload: KubeObject,
  gates: FeatureGates,
  old: KubeObject | undefined,
): void {
  const template = templateOf(workload);
  const selector = understoodSelector(errors, structAt(workload, "spec"), "invalid label selector");
  if (selector === undefined) return;
  addUnlessSelected(errors, template, selector, templatePath);
  const options = templateValidationOptions(gates, old && templateOf(old));
  errors.push(...validatePodTemplateSpec(template, templatePath, options));
  addUnlessAlwaysRunning(errors, template, templatePath, "ReplicaSet");
}
