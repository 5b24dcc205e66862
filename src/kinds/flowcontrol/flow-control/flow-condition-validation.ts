import { type FieldError, fieldDuplicate, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";

/** Validates the conditions of a FlowSchema or PriorityLevelConfiguration. */
export function flowConditionErrors(object: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return listAt(object, "status", "conditions").flatMap((condition, i) => {
    const field = child(index("status.conditions", i), "type");
    const type = textAt(condition, "type");
    const errors = seen.has(type) ? [fieldDuplicate(field, type)] : [];
    seen.add(type);
    return type === "" ? [...errors, fieldRequired(field, "must not be empty")] : errors;
  });
}
