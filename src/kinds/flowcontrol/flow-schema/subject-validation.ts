import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "../../../apimachinery/errors/field.ts";
import { objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import { dnsLabelMessages, dnsSubdomainMessages } from "../../../apimachinery/validation/names.ts";

/** The field for each kind of subject, and the other kinds in the order in which upstream rejects their fields. */
const fields: ReadonlyMap<string, { readonly field: string; readonly others: readonly string[] }> = new Map([
  ["ServiceAccount", { field: "serviceAccount", others: ["User", "Group"] }],
  ["User", { field: "user", others: ["ServiceAccount", "Group"] }],
  ["Group", { field: "group", others: ["ServiceAccount", "User"] }],
]);
const kinds = ["Group", "ServiceAccount", "User"];

/** Validates a subject, which has only the field of its kind. Upstream: ValidateFlowSchemaSubject. */
export function subjectErrors(subject: JsonObject, at: string): FieldError[] {
  const kind = textAt(subject, "kind");
  const known = fields.get(kind);
  if (known === undefined) return [fieldNotSupported(child(at, "kind"), kind, kinds)];
  const { field, others } = known;
  return [
    ...nameErrors(objectAt(subject, field), kind, field, child(at, field)),
    ...others.flatMap((other) => forbiddenFieldErrors(subject, other, at)),
  ];
}

function forbiddenFieldErrors(subject: JsonObject, kind: string, at: string): FieldError[] {
  const field = fields.get(kind)?.field ?? "";
  if (subject[field] === undefined) return [];
  return [fieldForbidden(child(at, field), `${field} is forbidden when subject kind is not '${kind}'`)];
}

function nameErrors(
  reference: JsonObject | undefined,
  kind: string,
  field: string,
  at: string,
): FieldError[] {
  if (reference === undefined)
    return [fieldRequired(at, `${field} is required when subject kind is '${kind}'`)];
  const name = textAt(reference, "name");
  const errors: FieldError[] = name === "" ? [fieldRequired(child(at, "name"))] : [];
  if (kind !== "ServiceAccount") return errors;
  const messages = name === "" || name === "*" ? [] : dnsSubdomainMessages(name);
  errors.push(...messages.map((message) => fieldInvalid(child(at, "name"), name, message)));
  return [...errors, ...namespaceErrors(textAt(reference, "namespace"), child(at, "namespace"))];
}

function namespaceErrors(namespace: string, field: string): FieldError[] {
  if (namespace === "") return [fieldRequired(field, "must specify namespace for service account")];
  return dnsLabelMessages(namespace).map((message) => fieldInvalid(field, namespace, message));
}
