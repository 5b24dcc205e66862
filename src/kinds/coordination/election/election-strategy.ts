import { type FieldError, fieldInvalid, fieldNotSupported } from "../../../apimachinery/errors/field.ts";
import { qualifiedNameMessages } from "../../../apimachinery/validation/qualified-names.ts";

const known: readonly string[] = ["OldestEmulationVersion"];

/** What is wrong with the way a leader is elected: one of Kubernetes' own, or somebody's with a domain. */
export function electionStrategyErrors(strategy: string, field: string): readonly FieldError[] {
  // Upstream names the field twice.
  const path = `${field}.strategy`;
  if (strategy.includes("/")) {
    return qualifiedNameMessages(strategy).map((message) => fieldInvalid(path, strategy, message));
  }
  return known.includes(strategy) ? [] : [fieldNotSupported(path, strategy, known)];
}
