import type { AdmissionStep, EvaluatedExpression } from "../../request/request-notes.ts";
import { exclusion } from "../contract/notes.ts";
import type { Validation } from "./validating-policy.ts";
import type { ValidationResult } from "./validation.ts";

type Verdict = Pick<AdmissionStep, "outcome" | "message">;

/** What a policy did with a request because of a binding with these actions. */
export function policyStep(
  validations: readonly Validation[],
  actions: readonly string[],
  result: ValidationResult,
): Verdict & Pick<AdmissionStep, "cost" | "expressions"> {
  const { match, cost } = result;
  const expressions =
    match?.matches === false ? exclusion(match.excludedBy, cost) : evaluatedExpressions(validations, result);
  const { outcome, message } = verdictOf(actions, result);
  return { outcome, message, cost, expressions };
}

const allowed: Verdict = { outcome: "allowed", message: "" };

function verdictOf(actions: readonly string[], { decisions, annotations, match }: ValidationResult): Verdict {
  const isMatched = match?.matches !== false;
  if (isMatched && annotations.length === 0 && decisions.every(({ evaluation }) => evaluation === "admit")) {
    return allowed;
  }
  const refusal = decisions.find(({ action }) => action === "deny");
  if (refusal !== undefined && actions.includes("Deny")) {
    const { evaluation, message } = refusal;
    return { outcome: evaluation === "error" ? "failed" : "denied", message };
  }
  // An annotation that cannot be evaluated denies the request whatever the actions are.
  const broken = annotations.find((annotation) => annotation?.error !== undefined);
  if (broken?.error !== undefined) return { outcome: "failed", message: broken.error };
  if (refusal !== undefined) {
    return { outcome: actions.includes("Warn") ? "warned" : "audited", message: refusal.message };
  }
  const ignored = decisions.find(({ evaluation }) => evaluation === "error");
  if (ignored !== undefined) return { outcome: "failedOpen", message: ignored.message };
  if (match?.matches !== false) return allowed;
  return { outcome: match.error === "" ? "skipped" : "failedOpen", message: match.error };
}

/** The validations, as far as they were evaluated. */
function evaluatedExpressions(
  validations: readonly Validation[],
  { decisions, evaluations }: ValidationResult,
): readonly EvaluatedExpression[] {
  return evaluations.map(({ value, error, cost }, i) => {
    const { expression = "" } = validations[i] ?? {};
    if (error !== undefined) return { expression, outcome: "error", message: error, cost };
    if (value === true) return { expression, outcome: "true", message: "", cost };
    return { expression, outcome: "false", message: decisions[i]?.message ?? "", cost };
  });
}
