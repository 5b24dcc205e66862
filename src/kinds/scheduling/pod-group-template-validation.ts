import {
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooMany,
} from "../../apimachinery/errors/field.ts";
import { listAt, numberAt, objectAt, structAt, textAt, valueAt } from "../../apimachinery/fields.ts";
import { type JsonObject, jsonEqual } from "../../apimachinery/json.ts";
import { child, index } from "../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../apimachinery/validation/findings.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../apimachinery/validation/names.ts";
import { qualifiedNameMessages } from "../../apimachinery/validation/qualified-names.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import { addOptionalText, addRepeatedNames, addRequiredText, addUnionErrors } from "./declarative-checks.ts";

/** The most topology constraints, and the most claims, of a group. */
const [mostTopologies, mostClaims] = [1, 4];
const highestPriority = 1_000_000_000;
const disruptionModes: readonly string[] = ["Pod", "PodGroup"];

/**
 * Validates what the spec of a new PodGroup and a new template of one share. Fields whose gates are off have been dropped, or have
 * their default. Upstream: pkg/apis/scheduling/v1alpha2/zz_generated.validations.go.
 */
export function addTemplateErrors(
  errors: Findings,
  template: JsonObject,
  gates: FeatureGates,
  at: string,
): void {
  addPolicyErrors(errors, structAt(template, "schedulingPolicy"), child(at, "schedulingPolicy"));
  addTopologyErrors(errors, template, child(at, "schedulingConstraints", "topology"));
  addClaimErrors(errors, listAt(template, "resourceClaims"), child(at, "resourceClaims"));
  if (gates.isEnabled("WorkloadAwarePreemption")) addPriorityErrors(errors, template, at);
}

function addPolicyErrors(errors: Findings, policy: JsonObject, at: string): void {
  addUnionErrors(errors, policy, ["basic", "gang"], at);
  const gang = objectAt(policy, "gang");
  if (gang === undefined) return;
  const [count, field] = [numberAt(gang, "minCount"), child(at, "gang", "minCount")];
  if (count === 0) errors.push(fieldRequired(field));
  else if (count < 1) errors.push(fieldInvalid(field, count, "must be greater than or equal to 1"));
}

function addTopologyErrors(errors: Findings, template: JsonObject, at: string): void {
  const topologies = listAt(template, "schedulingConstraints", "topology");
  if (topologies.length > mostTopologies) {
    errors.push(fieldTooMany(at, topologies.length, mostTopologies));
    return;
  }
  for (const [i, topology] of topologies.entries())
    addRequiredText(errors, topology, "key", qualifiedNameMessages, index(at, i));
}

function addClaimErrors(errors: Findings, claims: readonly JsonObject[], at: string): void {
  if (claims.length > mostClaims) {
    errors.push(fieldTooMany(at, claims.length, mostClaims));
    return;
  }
  addRepeatedNames(errors, claims, at);
  for (const [i, claim] of claims.entries()) {
    const path = index(at, i);
    addUnionErrors(errors, claim, ["resourceClaimName", "resourceClaimTemplateName"], path);
    addRequiredText(errors, claim, "name", dnsLabelMessages, path);
    addOptionalText(errors, claim, "resourceClaimName", dnsSubdomainMessages, path);
    addOptionalText(errors, claim, "resourceClaimTemplateName", dnsSubdomainMessages, path);
  }
}

function addPriorityErrors(errors: Findings, template: JsonObject, at: string): void {
  const [mode, priorityClass] = [valueAt(template, "disruptionMode"), textAt(template, "priorityClassName")];
  if (typeof mode === "string" && !disruptionModes.includes(mode))
    errors.push(fieldNotSupported(child(at, "disruptionMode"), mode, disruptionModes));
  if (priorityClass !== "")
    addInvalid(errors, child(at, "priorityClassName"), priorityClass, dnsSubdomainMessages(priorityClass));
  const [priority, field] = [numberAt(template, "priority"), child(at, "priority")];
  if (priority > highestPriority)
    errors.push(fieldInvalid(field, priority, `must be less than or equal to ${highestPriority}`));
}

/** Adds an error for a field that changes although it must not. Upstream: apimachinery, pkg/api/validate/immutable.go. */
export function addImmutable(
  errors: Findings,
  owner: JsonObject,
  old: JsonObject,
  field: string,
  at: string,
): void {
  if (!jsonEqual(owner[field] ?? null, old[field] ?? null))
    errors.push(fieldInvalid(child(at, field), undefined, "field is immutable"));
}

/** The fields of a PodGroup that its gate makes optional, in upstream's order. */
const gatedFields = [
  ["TopologyAwareWorkloadScheduling", "schedulingConstraints"],
  ["DRAWorkloadResourceClaims", "resourceClaims"],
  ["WorkloadAwarePreemption", "disruptionMode"],
  ["WorkloadAwarePreemption", "priorityClassName"],
  ["WorkloadAwarePreemption", "priority"],
] as const;

/** Validates a changed spec of a PodGroup, which is immutable; a field whose gate is off may be removed. */
export function addSpecUpdateErrors(
  errors: Findings,
  spec: JsonObject,
  old: JsonObject,
  gates: FeatureGates,
): void {
  addImmutable(errors, spec, old, "podGroupTemplateRef", "spec");
  addImmutable(errors, spec, old, "schedulingPolicy", "spec");
  for (const [gate, field] of gatedFields) {
    if (gates.isEnabled(gate) || field === "resourceClaims") addImmutable(errors, spec, old, field, "spec");
    else if (isSet(spec, field) && !jsonEqual(spec[field] ?? null, old[field] ?? null))
      errors.push(fieldForbidden(child("spec", field), ""));
    if (field === "resourceClaims") addTooManyClaims(errors, spec, old);
  }
}

function addTooManyClaims(errors: Findings, spec: JsonObject, old: JsonObject): void {
  const claims = listAt(spec, "resourceClaims");
  if (claims.length <= mostClaims || jsonEqual(claims, listAt(old, "resourceClaims"))) return;
  errors.push(fieldTooMany("spec.resourceClaims", claims.length, mostClaims));
}

function isSet(owner: JsonObject, field: string): boolean {
  const value = owner[field];
  return value !== undefined && value !== null && value !== "";
}
