import { fieldRequired, fieldTooMany } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt } from "../../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import {
  dnsLabelMessages,
  dnsSubdomainMessages,
  pathSegmentName,
} from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addRepeatedNames, addRequiredText } from "../declarative-checks.ts";
import { addImmutable, addTemplateErrors } from "../pod-group-template-validation.ts";

const templatesField = "spec.podGroupTemplates";
const mostTemplates = 8;

/** Validates a new Workload. Upstream: pkg/apis/scheduling/v1alpha2/zz_generated.validations.go. */
export function addWorkloadErrors(errors: Findings, workload: KubeObject, gates: FeatureGates): void {
  const spec = structAt(workload, "spec");
  const controller = objectAt(spec, "controllerRef");
  if (controller !== undefined) addControllerErrors(errors, controller);
  const templates = listAt(spec, "podGroupTemplates");
  if (templates.length > mostTemplates)
    errors.push(fieldTooMany(templatesField, templates.length, mostTemplates));
  else if (templates.length === 0) errors.push(fieldRequired(templatesField));
  else addTemplates(errors, templates, gates);
}

function addTemplates(errors: Findings, templates: readonly JsonObject[], gates: FeatureGates): void {
  addRepeatedNames(errors, templates, templatesField);
  for (const [i, template] of templates.entries()) {
    const at = index(templatesField, i);
    addRequiredText(errors, template, "name", dnsLabelMessages, at);
    addTemplateErrors(errors, template, gates, at);
  }
}

/** Validates the reference to the controller of a Workload. */
export function addControllerErrors(errors: Findings, controller: JsonObject): void {
  const at = "spec.controllerRef";
  const group = controller["apiGroup"];
  if (typeof group === "string" && group !== "")
    addInvalid(errors, `${at}.apiGroup`, group, dnsSubdomainMessages(group));
  addRequiredText(errors, controller, "kind", (text) => pathSegmentName(text, "name"), at);
  addRequiredText(errors, controller, "name", (text) => pathSegmentName(text, "name"), at);
}

/** Validates a changed Workload. */
export function addWorkloadUpdateErrors(errors: Findings, workload: KubeObject, old: KubeObject): void {
  const [spec, before] = [structAt(workload, "spec"), structAt(old, "spec")];
  addImmutable(errors, spec, before, "controllerRef", "spec");
  const templates = listAt(spec, "podGroupTemplates");
  if (jsonEqual(templates, listAt(before, "podGroupTemplates"))) return;
  addImmutable(errors, spec, before, "podGroupTemplates", "spec");
  if (templates.length > mostTemplates)
    errors.push(fieldTooMany(templatesField, templates.length, mostTemplates));
  if (templates.length === 0) errors.push(fieldRequired(templatesField));
}
