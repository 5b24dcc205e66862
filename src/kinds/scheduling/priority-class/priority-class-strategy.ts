import { forbidden } from "../../../apimachinery/errors/errors.ts";
import { withGeneration } from "../../../registry/contract/default-strategy.ts";
import type { Strategy } from "../../../registry/contract/strategy.ts";
import {
  addPriorityClassErrors,
  addPriorityClassUpdateErrors,
  systemClasses,
} from "./priority-class-validation.ts";

const resource = { group: "scheduling.k8s.io", resource: "priorityclasses" };

/**
 * The strategy of PriorityClasses. Their generation is always 1. Those of the system cannot be deleted by name
 * (pkg/registry/scheduling/priorityclass/storage/storage.go).
 */
export function priorityClassStrategy(base: Strategy): Strategy {
  return withGeneration(
    {
      ...base,
      validate: addPriorityClassErrors,
      validateUpdate: addPriorityClassUpdateErrors,
      checkDeletion: (name) => {
        if (!systemClasses.has(name)) return;
        throw forbidden(resource, name, "this is a system priority class and cannot be deleted");
      },
    },
    () => false,
  );
}
