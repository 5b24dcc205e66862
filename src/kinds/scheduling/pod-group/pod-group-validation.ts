import { fieldInvalid, fieldTooMany } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt } from "../../../apimachinery/fields.ts";
import { jsonEqual } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { addConditionErrors } from "../../../apimachinery/validation/condition-validation.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";
import type { FeatureGates } from "../../../catalog/feature-gates.ts";
import { addOptionalText, addRepeatedNames, addRequiredText, addUnionErrors } from "../declarative-checks.ts";
import { addSpecUpdateErrors, addTemplateErrors } from "../pod-group-template-validation.ts";

/**
 * Validates a new PodGroup. Upstream: pkg/registry/scheduling/podgroup/strategy.go and
 * pkg/apis/scheduling/v1alpha2/zz_generated.validations.go.
 */
export function addPodGroupErrors(errors: Findings, podGroup: KubeObject, gates: FeatureGates): void {
  const spec = structAt(podGroup, "spec");
  const reference = objectAt(spec, "podGroupTemplateRef");
  if (reference !== undefined) {
    const at = "spec.podGroupTemplateRef";
    addUnionErrors(errors, reference, ["workload"], at);
    const workload = objectAt(reference, "workload");
    if (workload !== undefined) {
      addRequiredText(errors, workload, "workloadName", dnsSubdomainMessages, child(at, "workload"));
      addRequiredText(errors, workload, "podGroupTemplateName", dnsLabelMessages, child(at, "workload"));
    }
  }
  addTemplateErrors(errors, spec, gates, "spec");
}

/** Validates a changed PodGroup. */
export function addPodGroupUpdateErrors(
  errors: Findings,
  podGroup: KubeObject,
  old: KubeObject,
  gates: FeatureGates,
): void {
  addSpecUpdateErrors(errors, structAt(podGroup, "spec"), structAt(old, "spec"), gates);
}

const statusesField = "status.resourceClaimStatuses";
const mostStatuses = 4;

/** Validates a changed status. */
export function addPodGroupStatusErrors(errors: Findings, podGroup: KubeObject, old: KubeObject): void {
  addConditionErrors(errors, listAt(podGroup, "status", "conditions"), "status.conditions");
  const claims = new Set(listAt(podGroup, "spec", "resourceClaims").map((claim) => textAt(claim, "name")));
  const statuses = listAt(podGroup, "status", "resourceClaimStatuses");
  for (const [i, status] of statuses.entries()) {
    const name = textAt(status, "name");
    if (claims.has(name)) continue;
    const detail = "must match the name of an entry in `spec.resourceClaims`";
    errors.push(fieldInvalid(child(index(statusesField, i), "name"), name, detail));
  }
  const before = listAt(old, "status", "resourceClaimStatuses");
  if (jsonEqual(statuses, before)) return;
  if (statuses.length > mostStatuses) {
    errors.push(fieldTooMany(statusesField, statuses.length, mostStatuses));
    return;
  }
  addRepeatedNames(errors, statuses, statusesField);
  for (const [i, status] of statuses.entries()) {
    // What does not change is not validated again.
    const known = before.find((other) => textAt(other, "name") === textAt(status, "name"));
    if (known?.["resourceClaimName"] === status["resourceClaimName"]) continue;
    addOptionalText(errors, status, "resourceClaimName", dnsSubdomainMessages, index(statusesField, i));
  }
}
