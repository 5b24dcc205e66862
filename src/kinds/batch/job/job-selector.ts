import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { booleanAt, objectAt, stringsAt, structAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { KubeObject, MutableKubeObject } from "../../../apimachinery/object-meta.ts";
import {
  isValidLabelSelector,
  labelSelectorFromObject,
} from "../../../apimachinery/selectors/label-selector-object.ts";
import { key } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { templateOf } from "../../workload/pod-template.ts";

const controllerUid = "batch.kubernetes.io/controller-uid";
const jobName = "batch.kubernetes.io/job-name";
/** The labels of releases before 1.27, without the domain prefix. */
const legacyControllerUid = "controller-uid";
const legacyJobName = "job-name";

const labelsPath = "spec.template.metadata.labels";

type Labels = { readonly [name: string]: string };

/**
 * Generates the selector of a Job and the matching labels of its pods, unless `manualSelector` is set. A Job that has the
 * labels of its template by default gets the new ones as well. Upstream: pkg/registry/batch/job/strategy.go.
 */
export function generateSelector(job: MutableKubeObject): void {
  const spec = structAt(job, "spec");
  if (booleanAt(spec, "manualSelector")) return;
  const template = structAt(spec, "template");
  const { uid = "", name = "" } = job.metadata;
  const labels = { ...generatedLabels(name, uid), ...stringsAt(template, "metadata", "labels") };
  const ofTemplate = objectAt(template, "metadata", "labels");
  if (ofTemplate !== undefined && job.metadata.labels === ofTemplate) job.metadata.labels = { ...labels };
  const selector = structAt(spec, "selector");
  const matchLabels = { [controllerUid]: uid, ...stringsAt(selector, "matchLabels") };
  job["spec"] = {
    ...spec,
    selector: { ...selector, matchLabels },
    template: { ...template, metadata: { ...structAt(template, "metadata"), labels } },
  };
}

/**
 * Adds the labels of the pod template to a Job without labels: upstream applies this default on every read from
 * storage.
 */
export function withTemplateLabels(job: KubeObject): KubeObject {
  const labels = stringsAt(templateOf(job), "metadata", "labels");
  const isLabeled = Object.keys(job.metadata.labels ?? {}).length > 0;
  if (isLabeled || Object.keys(labels).length === 0) return job;
  return { ...job, metadata: { ...job.metadata, labels } };
}

/**
 * Validates a generated selector. An update of a Job without the prefixed labels requires the legacy labels only.
 * Upstream: pkg/apis/batch/validation/validation.go, ValidateGeneratedSelector.
 */
export function addGeneratedSelector(errors: Findings, job: KubeObject, old: KubeObject | undefined): void {
  const { selector, manualSelector } = structAt(job, "spec");
  if (manualSelector === true || selector === undefined) return;
  const { uid = "", name = "" } = job.metadata;
  const labels = stringsAt(templateOf(job), "metadata", "labels");
  const expected =
    old === undefined || hasPrefixedLabels(old) ? generatedLabels(name, uid) : legacyLabels(name, uid);
  for (const [label, value] of Object.entries(expected)) addUnlessLabeled(errors, labels, label, value);
  if (!isValidLabelSelector(selector) || labelSelectorFromObject(selector).matches(expected)) return;
  const shown = typedValue("v1.LabelSelector", selector);
  errors.push(fieldInvalid("spec.selector", shown, "`selector` not auto-generated"));
}

function addUnlessLabeled(errors: Findings, labels: Labels, label: string, value: string): void {
  const actual = labels[label];
  if (actual === value) return;
  const field = key(labelsPath, label);
  const detail = `must be '${value}'`;
  const shown = typedValue("map[string]string", labels);
  errors.push(actual === undefined ? fieldRequired(field, detail) : fieldInvalid(field, shown, detail));
}

function hasPrefixedLabels(job: KubeObject): boolean {
  const labels = stringsAt(templateOf(job), "metadata", "labels");
  return labels[jobName] !== undefined && labels[controllerUid] !== undefined;
}

/** The labels in upstream's order of validation. */
function generatedLabels(name: string, uid: string): Labels {
  return { ...legacyLabels(name, uid), [controllerUid]: uid, [jobName]: name };
}

function legacyLabels(name: string, uid: string): Labels {
  return { [legacyControllerUid]: uid, [legacyJobName]: name };
}
