import { fieldInvalid, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { textAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { dns1035LabelMessages } from "../../../apimachinery/validation/names.ts";

const required = ["plural", "singular", "kind", "listKind"];

/** The names that a definition must request, although its status may lack them. */
export function addMissingNameErrors(errors: Findings, names: JsonObject, path: string): void {
  for (const name of required) {
    if (textAt(names, name) === "") errors.push(fieldRequired(child(path, name)));
  }
}

/** Validates requested or accepted names. Upstream: ValidateCustomResourceDefinitionNames. */
export function addNamesErrors(errors: Findings, names: JsonObject, path: string): void {
  const kind = textAt(names, "kind");
  const listKind = textAt(names, "listKind");
  for (const name of ["plural", "singular"]) addLabelErrors(errors, textAt(names, name), child(path, name));
  addKindErrors(errors, kind, child(path, "kind"));
  addKindErrors(errors, listKind, child(path, "listKind"));
  addLabelListErrors(errors, names, "shortNames", path);
  if (kind !== "" && kind === listKind) {
    errors.push(fieldInvalid(child(path, "listKind"), listKind, "kind and listKind may not be the same"));
  }
  addLabelListErrors(errors, names, "categories", path);
}

function addLabelErrors(errors: Findings, name: string, field: string): void {
  if (name !== "") addUnlessLabel(errors, name, field);
}

/** Requires a DNS-1035 label; all that is wrong is one error. */
export function addUnlessLabel(errors: Findings, name: string, field: string): void {
  const messages = dns1035LabelMessages(name);
  if (messages.length > 0) errors.push(fieldInvalid(field, name, messages.join(",")));
}

function addKindErrors(errors: Findings, kind: string, field: string): void {
  const messages = kind === "" ? [] : dns1035LabelMessages(kind.toLowerCase());
  if (messages.length === 0) return;
  const detail = `may have mixed case, but should otherwise match: ${messages.join(",")}`;
  errors.push(fieldInvalid(field, kind, detail));
}

function addLabelListErrors(errors: Findings, names: JsonObject, list: string, path: string): void {
  for (const [i, name] of textsAt(names, list).entries()) {
    addUnlessLabel(errors, name, index(child(path, list), i));
  }
}
