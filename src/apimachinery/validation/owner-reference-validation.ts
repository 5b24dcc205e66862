import { fieldInvalid } from "../errors/field.ts";
import { type Wording, worded } from "../errors/wording.ts";
import { plainValue } from "../go/go-value.ts";
import { formatGroupVersionKind, parseGroupVersion } from "../group-version.ts";
import type { OwnerReference } from "../object-meta.ts";
import { checkedOnce } from "./checked-once.ts";
import { child } from "./field-path.ts";
import type { Findings } from "./findings.ts";

/** Validates the owner references of an object. The field paths have no index. */
export const addOwnerReferenceErrors: (
  errors: Findings,
  references: readonly OwnerReference[],
  field: string,
) => void = checkedOnce(addErrors);

function addErrors(errors: Findings, references: readonly OwnerReference[], field: string): void {
  let controller: Wording = "";
  for (const reference of references) {
    addReferenceErrors(errors, reference, field);
    if (reference.controller !== true) continue;
    const name: Wording = (since) => `${since("1.26") ? `${reference.kind}/` : ""}${reference.name}`;
    if (controller === "") {
      controller = name;
      continue;
    }
    const detail = worded`Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
    errors.push(fieldInvalid(field, plainValue("[]v1.OwnerReference", references), detail));
  }
}

function addReferenceErrors(errors: Findings, reference: OwnerReference, field: string): void {
  const { apiVersion, kind, name, uid } = reference;
  const gv = parseGroupVersion(apiVersion) ?? { group: "", version: "" };
  if (gv.version === "") {
    errors.push(fieldInvalid(child(field, "apiVersion"), apiVersion, "version must not be empty"));
  }
  for (const [part, value] of Object.entries({ kind, name, uid })) {
    if (value !== "") continue;
    const detail: Wording = (since) => (since("1.34") ? "must not be empty" : `${part} must not be empty`);
    errors.push(fieldInvalid(child(field, part), value, detail));
  }
  if (gv.group === "" && gv.version === "v1" && kind === "Event") {
    const gvk = formatGroupVersionKind({ ...gv, kind });
    errors.push(
      fieldInvalid(
        field,
        plainValue("v1.OwnerReference", reference),
        `${gvk} is disallowed from being an owner`,
      ),
    );
  }
}
