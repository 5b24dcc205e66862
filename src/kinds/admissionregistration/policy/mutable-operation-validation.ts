import { type FieldError, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { listAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";

const mutableOperations = ["CONNECT", "CREATE", "UPDATE"];

/** The operations of a mutating policy: it cannot change an object that is deleted. */
export function mutableOperationErrors(resources: JsonObject, field: string): FieldError[] {
  const at = child(field, "resourceRules", "operations");
  return listAt(resources, "resourceRules")
    .flatMap((rule) => textsAt(rule, "operations"))
    .filter((operation) => !mutableOperations.includes(operation))
    .map((operation) => fieldNotSupported(at, operation, mutableOperations));
}
