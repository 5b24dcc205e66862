import { structAt } from "../../apimachinery/fields.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Findings } from "../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { addPodTemplateSpecErrors } from "../pod-spec/validation/pod-template.ts";
import { templateValidationOptions } from "../pod-spec/validation/pod-validation-options.ts";
import { addRestartPolicyErrors, templateOf, templatePath } from "./pod-template.ts";
import { addUnlessSelectorMatches, parsedSelector } from "./workload-selector.ts";

/**
 * Validates the pod template of a ReplicaSet or of a Deployment.
 * Upstream: pkg/apis/apps/validation/validation.go, ValidatePodTemplateSpecForReplicaSet.
 */
export function addReplicaTemplateErrors(
  errors: Findings,
  workload: KubeObject,
  gates: FeatureGates,
  old: KubeObject | undefined,
): void {
  const template = templateOf(workload);
  const selector = parsedSelector(errors, structAt(workload, "spec"), "invalid label selector");
  if (selector === undefined) return;
  addUnlessSelectorMatches(errors, template, selector, templatePath);
  const options = templateValidationOptions(gates, old && templateOf(old));
  addPodTemplateSpecErrors(errors, template, templatePath, options);
  addRestartPolicyErrors(errors, template, templatePath, "ReplicaSet");
}
