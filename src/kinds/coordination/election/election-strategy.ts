import { fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { addInvalid, type Findings } from "../../../apimachinery/validation/findings.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";

const builtInStrategies: readonly string[] = ["OldestEmulationVersion"];

/** Adds the errors in a strategy of coordinated leader election: a built-in one, or a qualified name with a domain. */
export function addElectionStrategyErrors(errors: Findings, strategy: string, field: string): void {
  // Upstream repeats the name of the field.
  const path = `${field}.strategy`;
  if (strategy.includes("/")) addInvalid(errors, path, strategy, qualifiedNameMessages(strategy));
  else if (!builtInStrategies.includes(strategy)) {
    errors.push(fieldNotSupported(path, strategy, builtInStrategies));
  }
}
