import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import {
  addOpenRequirementErrors,
  addOperatorValuesErrors,
} from "../../../apimachinery/selectors/label-selector-object.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

/** Requires either resource attributes or non-resource attributes. */
export function addAttributesErrors(errors: Findings, review: KubeObject): void {
  const spec = structAt(review, "spec");
  const resource = objectAt(spec, "resourceAttributes");
  const nonResource = objectAt(spec, "nonResourceAttributes");
  if (resource !== undefined && nonResource !== undefined) {
    const detail = "cannot be specified in combination with resourceAttributes";
    errors.push(nonResourceError(nonResource, detail));
    return;
  }
  if (resource === undefined && nonResource === undefined) {
    const detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    errors.push(fieldInvalid("spec.resourceAttributes", undefined, detail));
    return;
  }
}

/** Requires a user or a group. */
export function addSubjectErrors(errors: Findings, review: KubeObject, groups: readonly string[]): void {
  const user = textAt(review, "spec", "user");
  if (user !== "" || groups.length > 0) return;
  errors.push(fieldInvalid("spec.user", user, "at least one of user or group must be specified"));
}

/**
 * Validates the selectors, which are a text or requirements. Unknown operators are allowed, because an authorizer may
 * support them.
 */
export function addSelectorErrors(errors: Findings, review: KubeObject): void {
  const attributes = objectAt(review, "spec", "resourceAttributes");
  if (attributes === undefined) return;
  const path = "spec.resourceAttributes";
  addRequirementsErrors(
    errors,
    objectAt(attributes, "fieldSelector"),
    `${path}.fieldSelector`,
    addFieldRequirementErrors,
  );
  addRequirementsErrors(
    errors,
    objectAt(attributes, "labelSelector"),
    `${path}.labelSelector`,
    addOpenRequirementErrors,
  );
}

function addRequirementsErrors(
  errors: Findings,
  selector: JsonObject | undefined,
  field: string,
  addRequirementErrors: (errors: Findings, requirement: JsonObject, field: string) => void,
): void {
  if (selector === undefined) return;
  const raw = textAt(selector, "rawSelector");
  const requirements = listAt(selector, "requirements");
  if (raw !== "" && requirements.length > 0) {
    const detail = "may not specified at the same time as requirements";
    errors.push(fieldInvalid(`${field}.rawSelector`, raw, detail));
  }
  if (raw === "" && requirements.length === 0) {
    const detail = `when ${field} is specified, requirements or rawSelector is required`;
    errors.push(fieldRequired(`${field}.requirements`, detail));
  }
  for (const [i, requirement] of requirements.entries()) {
    addRequirementErrors(errors, requirement, `${field}.requirements[${i}]`);
  }
}

function addFieldRequirementErrors(errors: Findings, requirement: JsonObject, field: string): void {
  const key = textAt(requirement, "key");
  if (key === "") errors.push(fieldRequired(`${field}.key`, "must be specified"));
  addOperatorValuesErrors(errors, textAt(requirement, "operator"), textsAt(requirement, "values"), field);
}

/** Requires the metadata to be empty, except for `exempt`. */
export function addMetadataErrors(
  errors: Findings,
  { metadata }: KubeObject,
  exempt: "nothing" | "namespace",
): void {
  const named = Object.entries(metadata).filter(
    ([name, value]) =>
      value !== null && name !== "managedFields" && !(exempt === "namespace" && name === "namespace"),
  );
  if (named.length === 0) return;
  const detail = exempt === "namespace" ? "must be empty except for namespace" : "must be empty";
  errors.push(fieldInvalid("metadata", typedValue("v1.ObjectMeta", metadata), detail));
}

/** Requires resource attributes in the namespace of the review. */
export function addNamespaceErrors(errors: Findings, review: KubeObject): void {
  const spec = structAt(review, "spec");
  const resource = objectAt(spec, "resourceAttributes");
  const namespace = resource && textAt(resource, "namespace");
  if (namespace !== undefined && namespace !== (review.metadata.namespace ?? "")) {
    const detail = "must match metadata.namespace";
    errors.push(fieldInvalid("spec.resourceAttributes.namespace", namespace, detail));
  }
  const nonResource = objectAt(spec, "nonResourceAttributes");
  if (nonResource !== undefined) {
    errors.push(nonResourceError(nonResource, "disallowed on this kind of request"));
  }
}

function nonResourceError(attributes: JsonObject, detail: string): FieldError {
  return fieldInvalid(
    "spec.nonResourceAttributes",
    typedValue("authorization.NonResourceAttributes", attributes),
    detail,
  );
}
