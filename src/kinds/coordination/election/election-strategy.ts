import { type FieldError, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";

const builtInStrategies: readonly string[] = ["OldestEmulationVersion"];

/** The errors in a strategy of coordinated leader election: a built-in one, or a qualified name with a domain. */
export function electionStrategyErrors(strategy: string, field: string): readonly FieldError[] {
  // Upstream repeats the name of the field.
  const path = `${field}.strategy`;
  if (strategy.includes("/")) {
    return qualifiedNameMessages(strategy).map((message) => fieldInvalid(path, strategy, message));
  }
  return builtInStrategies.includes(strategy) ? [] : [fieldNotSupported(path, strategy, builtInStrategies)];
}
