import {
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
} from "../../../apimachinery/errors/field.ts";
import { structAt, textAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { utf8Length } from "../../../apimachinery/utf8.ts";
import { addDomainPrefixedPathErrors } from "../../../apimachinery/validation/domain-prefixed-path.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addPodTemplateSpecErrors } from "../../pod-spec/validation/pod-template.ts";
import { templateValidationOptions } from "../../pod-spec/validation/pod-validation-options.ts";
import { addNonnegativeFields } from "../../workload/number-fields.ts";
import { addIndexedCompletion, addIndexedOnlyFields } from "./indexed-completion.ts";
import { addPodFailurePolicy } from "./pod-failure-policy.ts";
import { addSuccessPolicy } from "./success-policy.ts";

const managedByMax = 63;

/** Whether the completion mode is Indexed. */
export function isIndexed(spec: JsonObject): boolean {
  return textAt(spec, "completionMode") === "Indexed";
}

/**
 * Validates the spec of a Job, or of the Jobs of a CronJob, except for its selector.
 * Upstream: pkg/apis/batch/validation/validation.go, validateJobSpec.
 */
export function addJobSpec(
  errors: Findings,
  spec: JsonObject,
  path: string,
  gates: FeatureGates,
  old: JsonObject | undefined,
): void {
  addNonnegativeFields(errors, spec, path, [
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
  ]);
  if (spec["maxFailedIndexes"] !== undefined && spec["backoffLimitPerIndex"] === undefined) {
    errors.push(fieldRequired(child(path, "backoffLimitPerIndex"), "when maxFailedIndexes is specified"));
  }
  addManagedBy(errors, spec, path);
  addCompletionMode(errors, spec, path);
  addPolicies(errors, spec, path);
  const templatePath = child(path, "template");
  const options = templateValidationOptions(gates, old && structAt(old, "template"));
  addPodTemplateSpecErrors(errors, structAt(spec, "template"), templatePath, options);
  addRestartPolicy(errors, spec, child(templatePath, "spec", "restartPolicy"));
}

function addManagedBy(errors: Findings, spec: JsonObject, path: string): void {
  const { managedBy } = spec;
  if (typeof managedBy !== "string") return;
  const field = child(path, "managedBy");
  addDomainPrefixedPathErrors(errors, managedBy, field);
  if (utf8Length(managedBy) > managedByMax) errors.push(fieldTooLong(field, managedByMax));
}

function addCompletionMode(errors: Findings, spec: JsonObject, path: string): void {
  const mode = spec["completionMode"] ?? "NonIndexed";
  if (mode === "Indexed") addIndexedCompletion(errors, spec, path);
  else if (mode === "NonIndexed") addIndexedOnlyFields(errors, spec, path);
  else errors.push(fieldNotSupported(child(path, "completionMode"), mode, ["NonIndexed", "Indexed"]));
}

function addPolicies(errors: Findings, spec: JsonObject, path: string): void {
  const { podFailurePolicy, podReplacementPolicy, successPolicy } = spec;
  if (podFailurePolicy !== undefined) addPodFailurePolicy(errors, spec, child(path, "podFailurePolicy"));
  const successPath = child(path, "successPolicy");
  if (successPolicy !== undefined && isIndexed(spec)) addSuccessPolicy(errors, spec, successPath);
  else if (successPolicy !== undefined) {
    const shown = typedValue("batch.SuccessPolicy", successPolicy);
    errors.push(fieldInvalid(successPath, shown, "requires indexed completion mode"));
  }
  const choices = podFailurePolicy === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  if (typeof podReplacementPolicy === "string" && !choices.includes(podReplacementPolicy)) {
    errors.push(fieldNotSupported(child(path, "podReplacementPolicy"), podReplacementPolicy, choices));
  }
}

/** `Always` counts as not set, since it is the default of every pod template. */
function addRestartPolicy(errors: Findings, spec: JsonObject, field: string): void {
  const restartPolicy = textAt(spec, "template", "spec", "restartPolicy");
  if (restartPolicy === "Always" || restartPolicy === "") {
    errors.push(fieldRequired(field, 'valid values: "OnFailure", "Never"'));
  } else if (restartPolicy !== "OnFailure" && restartPolicy !== "Never") {
    errors.push(fieldNotSupported(field, restartPolicy, ["OnFailure", "Never"]));
  } else if (spec["podFailurePolicy"] !== undefined && restartPolicy !== "Never") {
    const detail = 'only "Never" is supported when podFailurePolicy is specified';
    errors.push(fieldInvalid(field, restartPolicy, detail));
  }
}
