import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { structAt, valueAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import { isJsonObject, type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import {
  addLabelSelectorErrors,
  isValidLabelSelector,
  labelSelectorFromObject,
} from "../../../apimachinery/selectors/label-selector-object.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages, dnsSubdomainName } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addMetadataErrors, addMetadataUpdateErrors } from "../../../registry/contract/metadata-errors.ts";
import { templatePath } from "../../workload/pod-template.ts";
import { addUnlessSelectorMatches } from "../../workload/workload-selector.ts";
import { addGeneratedSelector } from "./job-selector.ts";
import { addJobSpec, isIndexed } from "./job-spec-validation.ts";
import { addTrackingErrors } from "./job-tracking.ts";
import { expectedTemplate } from "./scheduling-directives.ts";

/**
 * Adds the errors in a Job; `old` is undefined on create.
 * Upstream: pkg/apis/batch/validation/validation.go, ValidateJob.
 */
export function addJobErrors(errors: Findings, job: KubeObject, gates: FeatureGates, old?: KubeObject): void {
  addGeneratedSelector(errors, job, old);
  addSpec(errors, job, gates, old);
  addTrackingErrors(errors, job, old, gates);
  addHostnames(errors, job);
}

/**
 * Adds the errors of an update. Upstream also validates the Job as a new object, so the answer lists errors in its spec
 * twice.
 * Upstream: pkg/apis/batch/validation/validation.go, ValidateJobUpdate and ValidateJobSpecUpdate.
 */
export function addJobUpdateErrors(
  errors: Findings,
  job: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  addMetadataErrors(errors, job, { namespaced: true, validateName: dnsSubdomainName });
  addJobErrors(errors, job, gates, old);
  addMetadataUpdateErrors(errors, job, old);
  addSpec(errors, job, gates, old);
  const [spec, before] = [structAt(job, "spec"), structAt(old, "spec")];
  addCompletionsChange(errors, spec, before, gates);
  addIfChanged(errors, spec, before, "selector", "v1.LabelSelector");
  if (!jsonEqual(structAt(spec, "template"), expectedTemplate(job, old, gates))) {
    const shown = typedValue("core.PodTemplateSpec", structAt(spec, "template"));
    errors.push(fieldInvalid(templatePath, shown, "field is immutable"));
  }
  addIfChanged(errors, spec, before, "completionMode", "string");
  addIfChanged(errors, spec, before, "podFailurePolicy", "batch.PodFailurePolicy");
  addIfChanged(errors, spec, before, "backoffLimitPerIndex", "int32");
  addIfChanged(errors, spec, before, "managedBy", "string");
  addIfChanged(errors, spec, before, "successPolicy", "batch.SuccessPolicy");
}

function addSpec(errors: Findings, job: KubeObject, gates: FeatureGates, old: KubeObject | undefined): void {
  const spec = structAt(job, "spec");
  const { selector } = spec;
  addJobSpec(errors, spec, "spec", gates, old && structAt(old, "spec"));
  if (isJsonObject(selector)) addLabelSelectorErrors(errors, selector, "spec.selector");
  else errors.push(fieldRequired("spec.selector"));
  if (!isValidLabelSelector(selector)) return;
  addUnlessSelectorMatches(
    errors,
    structAt(spec, "template"),
    labelSelectorFromObject(selector),
    templatePath,
  );
}

/** The hostname of a pod of an Indexed Job is the name of the Job and the index, and must be a DNS label. */
function addHostnames(errors: Findings, job: KubeObject): void {
  const spec = structAt(job, "spec");
  const completions = valueAt(spec, "completions");
  if (!isIndexed(spec) || typeof completions !== "number" || completions <= 0) return;
  const { name = "" } = job.metadata;
  const longestHostname = `${name}-${completions - 1}`;
  if (dnsLabelMessages(longestHostname).length === 0) return;
  const detail = `will not able to create pod with invalid DNS label: ${longestHostname}`;
  errors.push(fieldInvalid("metadata.name", name, detail));
}

/** Completions are immutable; an elastic Indexed Job may change them together with its parallelism. */
function addCompletionsChange(
  errors: Findings,
  spec: JsonObject,
  old: JsonObject,
  gates: FeatureGates,
): void {
  if (!isIndexed(spec) || !gates.isEnabled("ElasticIndexedJob")) {
    addIfChanged(errors, spec, old, "completions", "int32");
    return;
  }
  const { completions, parallelism } = spec;
  if (completions === undefined || completions === old["completions"] || completions === parallelism) return;
  const detail = "can only be modified in tandem with spec.parallelism";
  errors.push(fieldInvalid("spec.completions", completions, detail));
}

function addIfChanged(
  errors: Findings,
  spec: JsonObject,
  old: JsonObject,
  field: string,
  type: string,
): void {
  if (jsonEqual(spec[field] ?? null, old[field] ?? null)) return;
  errors.push(immutable(child("spec", field), spec[field], type));
}

function immutable(field: string, value: JsonObject[string] | undefined, type: string): FieldError {
  return fieldInvalid(field, typedValue(type, value), "field is immutable");
}
