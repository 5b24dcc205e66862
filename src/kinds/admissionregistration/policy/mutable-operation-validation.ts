import { fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { listAt, textsAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import { child } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

const mutableOperations = ["CONNECT", "CREATE", "UPDATE"];

/** Validates the operations of a mutating policy: it cannot change an object that is deleted. */
export function addMutableOperationErrors(errors: Findings, resources: JsonObject, field: string): void {
  const at = child(field, "resourceRules", "operations");
  for (const operation of listAt(resources, "resourceRules").flatMap((rule) => textsAt(rule, "operations"))) {
    if (!mutableOperations.includes(operation)) {
      errors.push(fieldNotSupported(at, operation, mutableOperations));
    }
  }
}
