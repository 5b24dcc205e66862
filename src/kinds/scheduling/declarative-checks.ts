import { fieldDuplicate, fieldInvalid, fieldRequired } from "../../apimachinery/errors/field.ts";
import type { Wording } from "../../apimachinery/errors/wording.ts";
import { textAt, valueAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { child, index } from "../../apimachinery/validation/field-path.ts";
import { addInvalid, type Findings } from "../../apimachinery/validation/findings.ts";
import { repeats } from "../../apimachinery/validation/repeats.ts";

/** Messages about a text in a format. */
type Format = (text: string) => readonly Wording[];

/** Requires a text in a format. Upstream: apimachinery, pkg/api/validate/required.go and strfmt.go. */
export function addRequiredText(
  errors: Findings,
  owner: JsonObject,
  field: string,
  format: Format,
  at: string,
): void {
  const text = textAt(owner, field);
  if (text === "") errors.push(fieldRequired(child(at, field)));
  else addInvalid(errors, child(at, field), text, format(text));
}

/** Checks the format of a text, if it is set. */
export function addOptionalText(
  errors: Findings,
  owner: JsonObject,
  field: string,
  format: Format,
  at: string,
): void {
  const text = valueAt(owner, field);
  if (typeof text === "string") addInvalid(errors, child(at, field), text, format(text));
}

/** Requires exactly one of some fields. Upstream: apimachinery, pkg/api/validate/union.go. */
export function addUnionErrors(
  errors: Findings,
  owner: JsonObject,
  members: readonly string[],
  at: string,
): void {
  const set = members.filter((member) => owner[member] !== undefined && owner[member] !== null);
  const all = members.map((member) => `\`${member}\``).join(", ");
  if (set.length === 0) errors.push(fieldInvalid(at, "", `must specify one of: ${all}`));
  if (set.length > 1)
    errors.push(fieldInvalid(at, `{${set.join(", ")}}`, `must specify exactly one of: ${all}`));
}

/** Requires that the names in a list differ. Upstream: apimachinery, pkg/api/validate/each.go. */
export function addRepeatedNames(errors: Findings, items: readonly JsonObject[], at: string): void {
  const isRepeated = repeats(items.map((item) => textAt(item, "name")));
  for (const [i, item] of items.entries()) {
    if (isRepeated[i]) errors.push(fieldDuplicate(index(at, i), item));
  }
}
