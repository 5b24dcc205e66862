import type { ScopeRequirement } from "../../../registry/contract/quota-evaluator.ts";

/** Whether a requirement selects the class that an object names; an empty name is not a class. */
export function selectsClass({ operator, values }: ScopeRequirement, className: string): boolean {
  switch (operator) {
    case "Exists":
      return className !== "";
    case "DoesNotExist":
      return className === "";
    case "In":
      return className !== "" && values.includes(className);
    case "NotIn":
      return !values.includes(className);
    default:
      return false;
  }
}
