import {
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
} from "../../../apimachinery/errors/field.ts";
import { textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import { type FoundPath, findFieldPath } from "../../../schema/structural/schema-field-path.ts";
import type { Structural } from "../../../schema/structural/structural-schema.ts";

const most = 8;
const selectableTypes = ["string", "boolean", "integer"];

/** Validates the fields by which custom resources can be selected. Upstream: ValidateCustomResourceSelectableFields. */
export function addSelectableFieldErrors(
  errors: Findings,
  fields: readonly JsonObject[],
  schema: Structural,
  path: string,
): void {
  const seen = new Set<string>();
  for (const [i, selectable] of fields.entries()) {
    const field = child(index(path, i), "jsonPath");
    const text = textAt(selectable, "jsonPath");
    if (text === "") {
      errors.push(fieldRequired(field));
      continue;
    }
    const found = findFieldPath(text, schema);
    if (typeof found === "string") errors.push(fieldInvalid(field, text, `is an invalid path: ${found}`));
    else addFoundErrors(errors, found, text, field, seen);
  }
  if (seen.size > most) errors.push(fieldTooMany(path, seen.size, most));
}

function addFoundErrors(
  errors: Findings,
  { names, schema }: FoundPath,
  text: string,
  field: string,
  seen: Set<string>,
): void {
  if (names[0] === "metadata") {
    errors.push(fieldInvalid(field, text, "must not point to fields in metadata"));
  }
  if (!selectableTypes.includes(schema.type)) {
    const detail =
      "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
    errors.push(fieldInvalid(field, text, detail));
  }
  const identity = names.join("\n");
  if (seen.has(identity)) errors.push(fieldDuplicate(field, text));
  seen.add(identity);
}
