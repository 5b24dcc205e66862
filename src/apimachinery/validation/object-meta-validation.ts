import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from "../errors/field.ts";
import { go } from "../go/go-value.ts";
import { jsonEqual } from "../json.ts";
import type { ObjectMeta } from "../object-meta.ts";
import { compareText, sortedKeys } from "../text-order.ts";
import { utf8Length } from "../utf8.ts";
import { index } from "./field-path.ts";
import { labelErrors } from "./label-errors.ts";
import { managedFieldsErrors } from "./managed-fields-validation.ts";
import { dnsLabelMessages, type NameValidator } from "./names.ts";
import { ownerReferenceErrors } from "./owner-reference-validation.ts";
import { qualifiedNameMessages } from "./qualified-names.ts";

/** The rules that differ by kind. */
export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly validateName: NameValidator;
}

const ANNOTATIONS_MAX = 262144;

const ORPHAN = "orphan";
const FOREGROUND_DELETION = "foregroundDeletion";
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(["kubernetes", ORPHAN, FOREGROUND_DELETION]);

/**
 * Validates the metadata of a new object after the name has been generated. Upstream:
 * k8s.io/apimachinery/pkg/api/validation/objectmeta.go, ValidateObjectMetaAccessor.
 */
export function validateObjectMeta(metadata: ObjectMeta, rules: ObjectMetaRules): FieldError[] {
  return [
    ...nameErrors(metadata, rules.validateName),
    ...namespaceErrors(metadata, rules.namespaced),
    ...generationErrors(metadata),
    ...labelErrors(metadata.labels ?? {}, "metadata.labels"),
    ...annotationErrors(metadata.annotations ?? {}, "metadata.annotations"),
    ...ownerReferenceErrors(metadata.ownerReferences ?? [], "metadata.ownerReferences"),
    ...finalizerErrors(metadata.finalizers ?? []),
    ...managedFieldsErrors(metadata.managedFields, "metadata.managedFields"),
  ];
}

/**
 * Validates the metadata of a changed object. Upstream calls it once for every kind, and most kinds call it again, so
 * the causes have its errors twice.
 */
export function validateObjectMetaUpdate(metadata: ObjectMeta, old: ObjectMeta): FieldError[] {
  return [
    ...newFinalizerErrors(metadata, old),
    ...resourceVersionErrors(metadata),
    ...decrementErrors(metadata, old),
    ...immutableErrors(metadata, old),
    ...labelErrors(metadata.labels ?? {}, "metadata.labels"),
    ...annotationErrors(metadata.annotations ?? {}, "metadata.annotations"),
    ...ownerReferenceErrors(metadata.ownerReferences ?? [], "metadata.ownerReferences"),
    ...managedFieldsErrors(metadata.managedFields, "metadata.managedFields"),
  ];
}

/** The additional validation of finalizers of built-in kinds: a name without a domain must be a standard one. */
export function standardFinalizerErrors(metadata: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, finalizer] of (metadata.finalizers ?? []).entries()) {
    if (finalizer.includes("/") || STANDARD_FINALIZERS.has(finalizer)) continue;
    const detail = "name is neither a standard finalizer name nor is it fully qualified";
    errors.push(fieldInvalid(index("metadata.finalizers", i), finalizer, detail));
  }
  return errors;
}

/** Validates annotations. Keys are qualified names in any case. */
export function annotationErrors(
  annotations: { readonly [key: string]: string },
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of sortedKeys(annotations)) {
    for (const message of qualifiedNameMessages(key.toLowerCase())) {
      errors.push(fieldInvalid(field, key, message));
    }
  }
  if (sizeExceeds(annotations, ANNOTATIONS_MAX)) errors.push(fieldTooLong(field, ANNOTATIONS_MAX));
  return errors;
}

/** Validates a name and the generateName. */
export function nameErrors(metadata: ObjectMeta, validateName: NameValidator): FieldError[] {
  const { name = "", generateName = "" } = metadata;
  const errors: FieldError[] = [];
  if (generateName !== "") {
    for (const message of validateName(generateName, true)) {
      errors.push(fieldInvalid("metadata.generateName", generateName, message));
    }
  }
  if (name === "") return [...errors, fieldRequired("metadata.name", "name or generateName is required")];
  for (const message of validateName(name, false)) {
    errors.push(fieldInvalid("metadata.name", name, message));
  }
  return errors;
}

function namespaceErrors({ namespace = "" }: ObjectMeta, namespaced: boolean): FieldError[] {
  const field = "metadata.namespace";
  if (!namespaced) return namespace === "" ? [] : [fieldForbidden(field, "not allowed on this type")];
  if (namespace === "") return [fieldRequired(field)];
  return dnsLabelMessages(namespace).map((message) => fieldInvalid(field, namespace, message));
}

function generationErrors({ generation = 0 }: ObjectMeta): FieldError[] {
  if (generation >= 0) return [];
  return [fieldInvalid("metadata.generation", generation, "must be greater than or equal to 0")];
}

function finalizerErrors(finalizers: readonly string[]): FieldError[] {
  const field = "metadata.finalizers";
  const errors = finalizers.flatMap((finalizer) =>
    qualifiedNameMessages(finalizer).map((message) => fieldInvalid(field, finalizer, message)),
  );
  if (finalizers.includes(ORPHAN) && finalizers.includes(FOREGROUND_DELETION)) {
    const detail = `finalizer ${ORPHAN} and ${FOREGROUND_DELETION} cannot be both set`;
    errors.push(fieldInvalid(field, go.stringSlice(finalizers), detail));
  }
  return errors;
}

function newFinalizerErrors(metadata: ObjectMeta, old: ObjectMeta): FieldError[] {
  if (!old.deletionTimestamp) return [];
  const known = new Set(old.finalizers);
  const added = new Set((metadata.finalizers ?? []).filter((finalizer) => !known.has(finalizer)));
  if (added.size === 0) return [];
  const shown = go.stringSlice([...added].sort(compareText)).text;
  const reason = "no new finalizers can be added if the object is being deleted";
  return [fieldForbidden("metadata.finalizers", `${reason}, found new finalizers ${shown}`)];
}

function resourceVersionErrors({ resourceVersion = "" }: ObjectMeta): FieldError[] {
  if (resourceVersion !== "") return [];
  return [fieldInvalid("metadata.resourceVersion", "", "must be specified for an update")];
}

function decrementErrors({ generation = 0 }: ObjectMeta, old: ObjectMeta): FieldError[] {
  if (generation >= (old.generation ?? 0)) return [];
  return [fieldInvalid("metadata.generation", generation, "must not be decremented")];
}

function immutableErrors(metadata: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["name", "namespace", "uid"] as const) {
    const value = metadata[name] ?? "";
    if (value !== (old[name] ?? "")) errors.push(immutable(name, go.namedString(value)));
  }
  const { creationTimestamp = null, deletionTimestamp = null, deletionGracePeriodSeconds = null } = metadata;
  if (creationTimestamp !== (old.creationTimestamp ?? null)) {
    errors.push(immutable("creationTimestamp", go.time(creationTimestamp)));
  }
  if (deletionTimestamp !== (old.deletionTimestamp ?? null)) {
    const shown = deletionTimestamp === null ? null : go.time(deletionTimestamp);
    errors.push(immutable("deletionTimestamp", shown));
  }
  if (!jsonEqual(deletionGracePeriodSeconds, old.deletionGracePeriodSeconds ?? null)) {
    errors.push(immutable("deletionGracePeriodSeconds", deletionGracePeriodSeconds));
  }
  return errors;
}

function immutable(name: string, value: Parameters<typeof fieldInvalid>[1]): FieldError {
  return fieldInvalid(`metadata.${name}`, value, "field is immutable");
}

/** Whether keys and values together exceed a number of bytes. Counts UTF-8 bytes only if necessary. */
function sizeExceeds(values: { readonly [key: string]: string }, maximum: number): boolean {
  let units = 0;
  for (const key of Object.keys(values)) units += key.length + (values[key]?.length ?? 0);
  if (units > maximum) return true;
  if (units * 3 <= maximum) return false;
  let bytes = 0;
  for (const key of Object.keys(values)) bytes += utf8Length(key) + utf8Length(values[key] ?? "");
  return bytes > maximum;
}
