import { fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { index } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";

const standardFinalizers: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/** Validates the finalizers of a new namespace. Upstream's paths have no index. */
export function addNamespaceErrors(errors: Findings, object: KubeObject): void {
  for (const name of textsAt(object, "spec", "finalizers")) {
    addFinalizerErrors(errors, name, "spec.finalizers");
  }
}

/** Validates the finalizers in an update of `/finalize`. */
export function addNamespaceFinalizeErrors(errors: Findings, object: KubeObject): void {
  for (const [i, name] of textsAt(object, "spec", "finalizers").entries()) {
    addFinalizerErrors(errors, name, index("spec.finalizers", i));
  }
}

/** Validates the phase: Active until the namespace is deleted, Terminating afterwards. */
export function addNamespaceStatusErrors(errors: Findings, object: KubeObject): void {
  const phase = textAt(object, "status", "phase");
  const isDeleted = Boolean(object.metadata.deletionTimestamp);
  const expected = isDeleted ? "Terminating" : "Active";
  if (phase === expected) return;
  const detail = `may only be '${expected}' if \`deletionTimestamp\` is ${isDeleted ? "not empty" : "empty"}`;
  errors.push(fieldInvalid("status.Phase", phase, detail));
}

function addFinalizerErrors(errors: Findings, name: string, field: string): void {
  addInvalid(errors, field, name, qualifiedNameMessages(name));
  if (name.includes("/") || standardFinalizers.has(name)) return;
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  errors.push(fieldInvalid(field, name, detail));
}
