import { type FieldError, fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, structAt, textAt, textsAt } from "../../../apimachinery/fields.ts";
import { typedValue } from "../../../apimachinery/go/go-value.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import {
  openRequirementErrors,
  operatorValuesErrors,
} from "../../../apimachinery/selectors/label-selector-object.ts";

/** Requires either resource attributes or non-resource attributes. */
export function attributesErrors(review: KubeObject): FieldError[] {
  const spec = structAt(review, "spec");
  const resource = objectAt(spec, "resourceAttributes");
  const nonResource = objectAt(spec, "nonResourceAttributes");
  if (resource !== undefined && nonResource !== undefined) {
    const detail = "cannot be specified in combination with resourceAttributes";
    return [nonResourceError(nonResource, detail)];
  }
  if (resource === undefined && nonResource === undefined) {
    const detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    return [fieldInvalid("spec.resourceAttributes", undefined, detail)];
  }
  return [];
}

/** Requires a user or a group. */
export function subjectErrors(review: KubeObject, groups: readonly string[]): FieldError[] {
  const user = textAt(review, "spec", "user");
  if (user !== "" || groups.length > 0) return [];
  return [fieldInvalid("spec.user", user, "at least one of user or group must be specified")];
}

/**
 * Validates the selectors, which are a text or requirements. Unknown operators are allowed, because an authorizer may
 * support them.
 */
export function selectorErrors(review: KubeObject): FieldError[] {
  const attributes = objectAt(review, "spec", "resourceAttributes");
  if (attributes === undefined) return [];
  const path = "spec.resourceAttributes";
  return [
    ...errorsOfSelector(
      objectAt(attributes, "fieldSelector"),
      `${path}.fieldSelector`,
      fieldRequirementErrors,
    ),
    ...errorsOfSelector(
      objectAt(attributes, "labelSelector"),
      `${path}.labelSelector`,
      openRequirementErrors,
    ),
  ];
}

function errorsOfSelector(
  selector: JsonObject | undefined,
  field: string,
  requirementErrors: (requirement: JsonObject, field: string) => FieldError[],
): FieldError[] {
  if (selector === undefined) return [];
  const raw = textAt(selector, "rawSelector");
  const requirements = listAt(selector, "requirements");
  const errors: FieldError[] = [];
  if (raw !== "" && requirements.length > 0) {
    const detail = "may not specified at the same time as requirements";
    errors.push(fieldInvalid(`${field}.rawSelector`, raw, detail));
  }
  if (raw === "" && requirements.length === 0) {
    const detail = `when ${field} is specified, requirements or rawSelector is required`;
    errors.push(fieldRequired(`${field}.requirements`, detail));
  }
  return [
    ...errors,
    ...requirements.flatMap((requirement, i) =>
      requirementErrors(requirement, `${field}.requirements[${i}]`),
    ),
  ];
}

function fieldRequirementErrors(requirement: JsonObject, field: string): FieldError[] {
  const key = textAt(requirement, "key");
  return [
    ...(key === "" ? [fieldRequired(`${field}.key`, "must be specified")] : []),
    ...operatorValuesErrors(textAt(requirement, "operator"), textsAt(requirement, "values"), field),
  ];
}

/** Requires the metadata to be empty, except for `exempt`. */
export function metadataErrors({ metadata }: KubeObject, exempt: "nothing" | "namespace"): FieldError[] {
  const named = Object.entries(metadata).filter(
    ([name, value]) =>
      value !== null && name !== "managedFields" && !(exempt === "namespace" && name === "namespace"),
  );
  if (named.length === 0) return [];
  const detail = exempt === "namespace" ? "must be empty except for namespace" : "must be empty";
  return [fieldInvalid("metadata", typedValue("v1.ObjectMeta", metadata), detail)];
}

/** Requires resource attributes in the namespace of the review. */
export function namespaceErrors(review: KubeObject): FieldError[] {
  const spec = structAt(review, "spec");
  const errors: FieldError[] = [];
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
  return errors;
}

function nonResourceError(attributes: JsonObject, detail: string): FieldError {
  return fieldInvalid(
    "spec.nonResourceAttributes",
    typedValue("authorization.NonResourceAttributes", attributes),
    detail,
  );
}
