import { utf8Length } from "../../apimachinery/utf8.ts";
import { perCallLimit } from "../../cel/program/program.ts";
import type { MatchResult } from "../expressions/match-conditions.ts";
import { costBudget, type Evaluation, ExpressionRun, OutOfBudget, type RunInput } from "./expression-run.ts";
import type { AuditAnnotation, ValidatingPolicy, Validation } from "./validating-policy.ts";

/** The longest message that an expression may compute, in bytes (apiserver, pkg/apis/cel/config.go). */
const maxMessageLength = 5 * 1024;

/** What a validation says about a request. */
export interface Decision {
  readonly action: "admit" | "deny";
  /** Whether it holds, does not hold, or could not be evaluated. */
  readonly evaluation: "admit" | "deny" | "error";
  readonly message: string;
  readonly reason: Validation["reason"];
}

/** What an audit annotation is; undefined if it has no value. */
export type AnnotationResult =
  | { readonly key: string; readonly value: string; readonly error?: never }
  | { readonly error: string }
  | undefined;

/** What a policy says about a request. */
export interface ValidationResult {
  /** One for each validation, or one for why there are none; empty if the conditions exclude the request. */
  readonly decisions: readonly Decision[];
  /** What each validation evaluated to; empty if none was evaluated to the end. */
  readonly evaluations: readonly Evaluation[];
  readonly annotations: readonly AnnotationResult[];
  /** What its conditions say; undefined without conditions. */
  readonly match: MatchResult | undefined;
  readonly cost: number;
}

const admitted: Decision = { action: "admit", evaluation: "admit", message: "", reason: "Invalid" };

/** Decides about a request. Upstream: apiserver, plugin/policy/validating/validator.go. */
export function validated(
  policy: ValidatingPolicy,
  input: RunInput,
  onFailure: "deny" | "ignore",
): ValidationResult {
  const { conditions, validations } = policy;
  const failed = (message: string): Decision => ({
    action: onFailure === "deny" ? "deny" : "admit",
    evaluation: "error",
    message,
    reason: "Invalid",
  });
  const run = new ExpressionRun(input, "with authorizer", costBudget);
  const match = conditions?.(run.activation);
  if (match?.matches === false) {
    const decisions = match.error === "" || onFailure === "ignore" ? [] : [failed(match.error)];
    return { decisions, evaluations: [], annotations: [], match, cost: match.cost };
  }
  const cost = match?.cost ?? 0;
  try {
    // The conditions have variables of their own.
    const ofValidations =
      conditions === undefined ? run : new ExpressionRun(input, "with authorizer", costBudget);
    const evaluations = validations.map((validation) => ofValidations.evaluate(validation));
    const decisions = decisionsOf(policy, input, evaluations, ofValidations.remaining, failed);
    const noted = annotationsOf(policy, input, onFailure);
    const spent = costBudget - ofValidations.remaining + noted.cost;
    return { decisions, evaluations, annotations: noted.results, match, cost: cost + spent };
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    const decisions = [failed(error.message)];
    return { decisions, evaluations: [], annotations: [], match, cost: cost + costBudget };
  }
}

function decisionsOf(
  policy: ValidatingPolicy,
  input: RunInput,
  evaluations: readonly Evaluation[],
  remaining: number,
  failed: (message: string) => Decision,
): readonly Decision[] {
  const messages = messagesOf(policy, input, evaluations, remaining);
  return policy.validations.map((validation, i) => {
    const { value, error } = evaluations[i] ?? { error: "", cost: 0 };
    if (error !== undefined) return failed(error);
    if (messages instanceof OutOfBudget) return failed(`failed messageExpression: ${messages.message}`);
    if (value === true) return admitted;
    const message = messageOf(validation, messages[i]);
    return { action: "deny", evaluation: "deny", message, reason: validation.reason };
  });
}

/**
 * The values of message expressions. Upstream evaluates them whether or not a validation fails, so that they can use up the budget.
 * Where they cannot, they are not evaluated without need.
 */
function messagesOf(
  { validations, variables, messages }: ValidatingPolicy,
  input: RunInput,
  evaluations: readonly Evaluation[],
  remaining: number,
): readonly (Evaluation | undefined)[] | OutOfBudget {
  const canFail = (messages + variables.length) * perCallLimit > remaining;
  if (messages === 0 || (!canFail && evaluations.every(({ value }) => value === true))) return [];
  const run = new ExpressionRun(input, "without authorizer", remaining);
  try {
    return validations.map(({ messageExpression }) => messageExpression && run.evaluate(messageExpression));
  } catch (error) {
    if (error instanceof OutOfBudget) return error;
    throw error;
  }
}

/** The computed message if there is one of a suitable form, else the constant one, else one about the expression. */
function messageOf({ message, expression }: Validation, computed: Evaluation | undefined): string {
  const text = typeof computed?.value === "string" ? computed.value.trim() : "";
  if (text !== "" && utf8Length(text) <= maxMessageLength && !text.includes("\n")) return text;
  return message.trim() || `failed expression: ${expression.trim()}`;
}

const noAnnotations: AnnotationResults = { results: [], cost: 0 };

interface AnnotationResults {
  readonly results: readonly AnnotationResult[];
  readonly cost: number;
}

/** @throws {OutOfBudget} */
function annotationsOf(
  { annotations }: ValidatingPolicy,
  input: RunInput,
  onFailure: "deny" | "ignore",
): AnnotationResults {
  if (annotations.length === 0) return noAnnotations;
  const run = new ExpressionRun(input, "without authorizer", costBudget);
  const results = annotations.map((annotation) => annotationOf(annotation, run, onFailure));
  return { results, cost: costBudget - run.remaining };
}

function annotationOf(
  annotation: AuditAnnotation,
  run: ExpressionRun,
  onFailure: "deny" | "ignore",
): AnnotationResult {
  const { value, error } = run.evaluate(annotation);
  if (error !== undefined) return onFailure === "deny" ? { error } : undefined;
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : { key: annotation.key, value: text };
}
