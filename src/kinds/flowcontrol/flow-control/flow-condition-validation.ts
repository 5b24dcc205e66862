import { fieldDuplicate, fieldRequired } from "../../../apimachinery/errors/field.ts";
import { listAt, textAt } from "../../../apimachinery/fields.ts";
import type { KubeObject } from "../../../apimachinery/object-meta.ts";
import { child, index } from "../../../apimachinery/validation/field-path.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";

/** Validates the conditions of a FlowSchema or PriorityLevelConfiguration. */
export function addFlowConditionErrors(errors: Findings, object: KubeObject): void {
  const seen = new Set<string>();
  for (const [i, condition] of listAt(object, "status", "conditions").entries()) {
    const field = child(index("status.conditions", i), "type");
    const type = textAt(condition, "type");
    if (seen.has(type)) errors.push(fieldDuplicate(field, type));
    seen.add(type);
    if (type === "") errors.push(fieldRequired(field, "must not be empty"));
  }
}
