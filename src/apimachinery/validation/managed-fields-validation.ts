import { fieldInvalid, fieldTooLong } from "../errors/field.ts";
import { isPrintable } from "../go/go-quote.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { utf8Length } from "../utf8.ts";
import { checkedOnce } from "./checked-once.ts";
import { child, index } from "./field-path.ts";
import type { Findings } from "./findings.ts";
import { exceeds } from "./format-messages.ts";

const MANAGER_MAX = 128;
const SUBRESOURCE_MAX = 256;

/** Validates the entries of managedFields, except for their sets of fields. */
export function addManagedFieldsErrors(errors: Findings, value: JsonValue | undefined, field: string): void {
  if (!Array.isArray(value)) return;
  value.forEach((entry, i) => {
    if (isJsonObject(entry)) addEntryErrors(errors, entry, index(field, i));
  });
}

/** Validates the name of a field manager: its length and that all characters are printable. */
export function addFieldManagerErrors(errors: Findings, manager: string, field: string): void {
  if (exceeds(manager, MANAGER_MAX)) errors.push(fieldTooLong(field, MANAGER_MAX));
  // Most names are of nothing else.
  if (/^[ -~]*$/.test(manager)) return;
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const detail = `invalid character ${formatCodePoint(character)} (at position ${position})`;
      errors.push(fieldInvalid(field, manager, detail));
    }
    position += utf8Length(character);
  }
}

/** Most writes change no entry but that of their manager. */
const addEntryErrors = checkedOnce(addErrorsOfEntry);

function addErrorsOfEntry(errors: Findings, entry: JsonObject, field: string): void {
  const operation = textOf(entry.operation);
  if (operation !== "Apply" && operation !== "Update") {
    errors.push(fieldInvalid(child(field, "operation"), operation, "must be `Apply` or `Update`"));
  }
  const fieldsType = textOf(entry.fieldsType);
  if (fieldsType !== "" && fieldsType !== "FieldsV1") {
    errors.push(fieldInvalid(child(field, "fieldsType"), fieldsType, "must be `FieldsV1`"));
  }
  addFieldManagerErrors(errors, textOf(entry.manager), child(field, "manager"));
  if (exceeds(textOf(entry.subresource), SUBRESOURCE_MAX)) {
    errors.push(fieldTooLong(child(field, "subresource"), SUBRESOURCE_MAX));
  }
}

/** A character as Go's `%#U` prints it. */
function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
