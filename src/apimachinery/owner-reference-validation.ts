import { type FieldError, fieldInvalid } from "./field.ts";
import { child } from "./field-path.ts";
import { goQuote } from "./go-quote.ts";
import { type GoValue, go } from "./go-value.ts";
import { formatGroupVersionKind, parseGroupVersion } from "./group-version.ts";
import type { JsonValue } from "./json.ts";
import type { OwnerReference } from "./object-meta.ts";

/** What is wrong with the owners of an object. No finding says which of them it means. */
export function ownerReferenceErrors(references: readonly OwnerReference[], field: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller = "";
  for (const reference of references) {
    errors.push(...referenceErrors(reference, field));
    if (reference.controller !== true) continue;
    const name = `${reference.kind}/${reference.name}`;
    if (controller === "") {
      controller = name;
      continue;
    }
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
    errors.push(fieldInvalid(field, shownReferences(references), detail));
  }
  return errors;
}

function referenceErrors(reference: OwnerReference, field: string): FieldError[] {
  const { apiVersion, kind, name, uid } = reference;
  const gv = parseGroupVersion(apiVersion) ?? { group: "", version: "" };
  const errors: FieldError[] = [];
  if (gv.version === "") {
    errors.push(fieldInvalid(child(field, "apiVersion"), apiVersion, "version must not be empty"));
  }
  for (const [part, value] of Object.entries({ kind, name, uid })) {
    if (value === "") errors.push(fieldInvalid(child(field, part), value, `${part} must not be empty`));
  }
  if (gv.group === "" && gv.version === "v1" && kind === "Event") {
    const gvk = formatGroupVersionKind({ ...gv, kind });
    errors.push(
      fieldInvalid(field, go.raw(shownReference(reference)), `${gvk} is disallowed from being an owner`),
    );
  }
  return errors;
}

function shownReferences(references: readonly OwnerReference[]): GoValue {
  return go.slice("v1.OwnerReference", references.map(shownReference));
}

function shownReference(reference: OwnerReference): string {
  const { apiVersion, kind, name, uid } = reference;
  const fields = [
    `APIVersion:${goQuote(apiVersion)}`,
    `Kind:${goQuote(kind)}`,
    `Name:${goQuote(name)}`,
    `UID:${goQuote(uid)}`,
    `Controller:${shownFlag(reference.controller)}`,
    `BlockOwnerDeletion:${shownFlag(reference.blockOwnerDeletion)}`,
  ];
  return `v1.OwnerReference{${fields.join(", ")}}`;
}

/** Upstream prints where in its memory the flag stands, which nobody can foretell. */
function shownFlag(value: JsonValue | undefined): string {
  return typeof value === "boolean" ? "(*bool)(0xc000000000)" : "(*bool)(nil)";
}
