import type { FieldError } from "../../apimachinery/field.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { changed, withGeneration } from "../default-strategy.ts";
import type { Strategy } from "../strategy.ts";
import { statusStrategy } from "../subresource/status.ts";
import { flowConditionErrors } from "./flow-conditions.ts";
import { flowSchemaSpecErrors } from "./flow-schema-validation.ts";

/** Flow schemas sort requests into priority levels. */
export function flowSchemaStrategy(base: Strategy): Strategy {
  return withGeneration(
    { ...base, validate: flowSchemaErrors, validateUpdate: flowSchemaErrors },
    changed("spec"),
  );
}

/** `/status` says whether the level of a schema is there. */
export function flowSchemaStatusStrategy(base: Strategy): Strategy {
  return { ...statusStrategy(base), validateUpdate: flowConditionErrors };
}

function flowSchemaErrors(object: KubeObject): FieldError[] {
  return [...flowSchemaSpecErrors(object), ...flowConditionErrors(object)];
}
