import { fieldForbidden, fieldNotSupported, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";

/** The field for each kind of subject, and the other kinds in the order in which upstream rejects their fields. */
const fields: ReadonlyMap<string, { readonly field: string; readonly others: readonly string[] }> = new Map([
  ["ServiceAccount", { field: "serviceAccount", others: ["User", "Group"] }],
  ["User", { field: "user", others: ["ServiceAccount", "Group"] }],
  ["Group", { field: "group", others: ["ServiceAccount", "User"] }],
]);
const kinds = ["Group", "ServiceAccount", "User"];

/** Validates a subject, which has only the field of its kind. Upstream: ValidateFlowSchemaSubject. */
export function addSubjectErrors(errors: Findings, subject: JsonObject, at: string): void {
  const kind = textAt(subject, "kind");
  const known = fields.get(kind);
  if (known === undefined) {
    errors.push(fieldNotSupported(child(at, "kind"), kind, kinds));
    return;
  }
  const { field, others } = known;
  addNameErrors(errors, objectAt(subject, field), kind, field, child(at, field));
  for (const other of others) addForbiddenFieldErrors(errors, subject, other, at);
}

function addForbiddenFieldErrors(errors: Findings, subject: JsonObject, kind: string, at: string): void {
  const field = fields.get(kind)?.field ?? "";
  if (subject[field] === undefined) return;
  errors.push(fieldForbidden(child(at, field), `${field} is forbidden when subject kind is not '${kind}'`));
}

function addNameErrors(
  errors: Findings,
  reference: JsonObject | undefined,
  kind: string,
  field: string,
  at: string,
): void {
  if (reference === undefined) {
    errors.push(fieldRequired(at, `${field} is required when subject kind is '${kind}'`));
    return;
  }
  const name = textAt(reference, "name");
  if (name === "") errors.push(fieldRequired(child(at, "name")));
  if (kind !== "ServiceAccount") return;
  const messages = name === "" || name === "*" ? [] : dnsSubdomainMessages(name);
  addInvalid(errors, child(at, "name"), name, messages);
  addNamespaceErrors(errors, textAt(reference, "namespace"), child(at, "namespace"));
}

function addNamespaceErrors(errors: Findings, namespace: string, field: string): void {
  if (namespace === "") errors.push(fieldRequired(field, "must specify namespace for service account"));
  else addInvalid(errors, field, namespace, dnsLabelMessages(namespace));
}
