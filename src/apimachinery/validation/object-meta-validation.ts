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
import { checkedOnce } from "./checked-once.ts";
import { index } from "./field-path.ts";
import { addInvalid, type Findings } from "./findings.ts";
import { addLabelErrors } from "./label-errors.ts";
import type { Labels } from "./label-requirement.ts";
import { addManagedFieldsErrors } from "./managed-fields-validation.ts";
import { dnsLabelMessages, type NameValidator } from "./names.ts";
import { addOwnerReferenceErrors } from "./owner-reference-validation.ts";
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
export function addObjectMetaErrors(errors: Findings, metadata: ObjectMeta, rules: ObjectMetaRules): void {
  addNameErrors(errors, metadata, rules.validateName);
  addNamespaceErrors(errors, metadata, rules.namespaced);
  addGenerationErrors(errors, metadata);
  addLabelErrors(errors, metadata.labels ?? {}, "metadata.labels");
  addAnnotationErrors(errors, metadata.annotations ?? {}, "metadata.annotations");
  addOwnerReferenceErrors(errors, metadata.ownerReferences ?? [], "metadata.ownerReferences");
  addFinalizerErrors(errors, metadata.finalizers ?? []);
  addManagedFieldsErrors(errors, metadata.managedFields, "metadata.managedFields");
}

/**
 * Validates the metadata of a changed object. Upstream calls it once for every kind, and most kinds call it again, so
 * the causes have its errors twice.
 */
export function addObjectMetaUpdateErrors(errors: Findings, metadata: ObjectMeta, old: ObjectMeta): void {
  addNewFinalizerErrors(errors, metadata, old);
  addResourceVersionErrors(errors, metadata);
  addDecrementErrors(errors, metadata, old);
  addImmutableErrors(errors, metadata, old);
  addLabelErrors(errors, metadata.labels ?? {}, "metadata.labels");
  addAnnotationErrors(errors, metadata.annotations ?? {}, "metadata.annotations");
  addOwnerReferenceErrors(errors, metadata.ownerReferences ?? [], "metadata.ownerReferences");
  addManagedFieldsErrors(errors, metadata.managedFields, "metadata.managedFields");
}

/** Validates the finalizers of built-in kinds further: a name without a domain must be a standard one. */
export function addStandardFinalizerErrors(errors: Findings, metadata: ObjectMeta): void {
  (metadata.finalizers ?? []).forEach((finalizer, i) => {
    if (finalizer.includes("/") || STANDARD_FINALIZERS.has(finalizer)) return;
    const detail = "name is neither a standard finalizer name nor is it fully qualified";
    errors.push(fieldInvalid(index("metadata.finalizers", i), finalizer, detail));
  });
}

/** Validates annotations. Keys are qualified names in any case. */
export const addAnnotationErrors: (errors: Findings, annotations: Labels, field: string) => void =
  checkedOnce((errors, annotations: Labels, field) => {
    for (const key of sortedKeys(annotations)) {
      for (const message of qualifiedNameMessages(key.toLowerCase())) {
        errors.push(fieldInvalid(field, key, message));
      }
    }
    if (sizeExceeds(annotations, ANNOTATIONS_MAX)) errors.push(fieldTooLong(field, ANNOTATIONS_MAX));
  });

/** Validates a name and the generateName. */
export function addNameErrors(errors: Findings, metadata: ObjectMeta, validateName: NameValidator): void {
  const { name = "", generateName = "" } = metadata;
  if (generateName !== "") {
    for (const message of validateName(generateName, "generateName")) {
      errors.push(fieldInvalid("metadata.generateName", generateName, message));
    }
  }
  if (name === "") {
    errors.push(fieldRequired("metadata.name", "name or generateName is required"));
    return;
  }
  for (const message of validateName(name, "name")) errors.push(fieldInvalid("metadata.name", name, message));
}

function addNamespaceErrors(errors: Findings, { namespace = "" }: ObjectMeta, namespaced: boolean): void {
  const field = "metadata.namespace";
  if (!namespaced) {
    if (namespace !== "") errors.push(fieldForbidden(field, "not allowed on this type"));
  } else if (namespace === "") errors.push(fieldRequired(field));
  else addInvalid(errors, field, namespace, dnsLabelMessages(namespace));
}

function addGenerationErrors(errors: Findings, { generation = 0 }: ObjectMeta): void {
  if (generation >= 0) return;
  errors.push(fieldInvalid("metadata.generation", generation, "must be greater than or equal to 0"));
}

function addFinalizerErrors(errors: Findings, finalizers: readonly string[]): void {
  const field = "metadata.finalizers";
  for (const finalizer of finalizers) addInvalid(errors, field, finalizer, qualifiedNameMessages(finalizer));
  if (finalizers.includes(ORPHAN) && finalizers.includes(FOREGROUND_DELETION)) {
    const detail = `finalizer ${ORPHAN} and ${FOREGROUND_DELETION} cannot be both set`;
    errors.push(fieldInvalid(field, go.stringSlice(finalizers), detail));
  }
}

function addNewFinalizerErrors(errors: Findings, metadata: ObjectMeta, old: ObjectMeta): void {
  if (!old.deletionTimestamp) return;
  const known = new Set(old.finalizers);
  const added = new Set((metadata.finalizers ?? []).filter((finalizer) => !known.has(finalizer)));
  if (added.size === 0) return;
  const shown = go.stringSlice([...added].sort(compareText)).text;
  const reason = "no new finalizers can be added if the object is being deleted";
  errors.push(fieldForbidden("metadata.finalizers", `${reason}, found new finalizers ${shown}`));
}

function addResourceVersionErrors(errors: Findings, { resourceVersion = "" }: ObjectMeta): void {
  if (resourceVersion !== "") return;
  errors.push(fieldInvalid("metadata.resourceVersion", "", "must be specified for an update"));
}

function addDecrementErrors(errors: Findings, { generation = 0 }: ObjectMeta, old: ObjectMeta): void {
  if (generation >= (old.generation ?? 0)) return;
  errors.push(fieldInvalid("metadata.generation", generation, "must not be decremented"));
}

function addImmutableErrors(errors: Findings, metadata: ObjectMeta, old: ObjectMeta): void {
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
