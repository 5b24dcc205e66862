import { type FieldError, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";

const standardFinalizers: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/** Validates the finalizers of a new namespace. Upstream's paths have no index. */
export function namespaceErrors(object: KubeObject): FieldError[] {
  return textsAt(object, "spec", "finalizers").flatMap((name) => finalizerErrors(name, "spec.finalizers"));
}

/** Validates the finalizers in an update of `/finalize`. */
export function namespaceFinalizeErrors(object: KubeObject): FieldError[] {
  return textsAt(object, "spec", "finalizers").flatMap((name, i) =>
    finalizerErrors(name, index("spec.finalizers", i)),
  );
}

/** Validates the phase: Active until the namespace is deleted, Terminating afterwards. */
export function namespaceStatusErrors(object: KubeObject): FieldError[] {
  const phase = textAt(object, "status", "phase");
  const isDeleted = Boolean(object.metadata.deletionTimestamp);
  const expected = isDeleted ? "Terminating" : "Active";
  if (phase === expected) return [];
  const detail = `may only be '${expected}' if \`deletionTimestamp\` is ${isDeleted ? "not empty" : "empty"}`;
  return [fieldInvalid("status.Phase", phase, detail)];
}

function finalizerErrors(name: string, field: string): FieldError[] {
  const errors = qualifiedNameMessages(name).map((message) => fieldInvalid(field, name, message));
  if (name.includes("/") || standardFinalizers.has(name)) return errors;
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  return [...errors, fieldInvalid(field, name, detail)];
}
