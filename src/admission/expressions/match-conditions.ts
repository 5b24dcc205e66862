import { aggregateText } from "../../apimachinery/errors/aggregate.ts";
import { textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import { type ConditionProblem, compileCondition } from "../../cel/condition.ts";
import type { Environment } from "../../cel/environment/environment.ts";
import type { Activation, Program } from "../../cel/program/program.ts";
import { perCallLimit } from "../../cel/program/program.ts";

/** The cost that all match conditions of a webhook or a policy may have together (apiserver, pkg/apis/cel/config.go). */
const budget = 2_500_000;

const overBudget =
  "validation failed due to running out of cost budget, no further validation rules will be run";

/** What conditions say about a request. */
export interface MatchResult {
  readonly matches: boolean;
  /** Why they could not be evaluated; empty if they could. None of them is false then. */
  readonly error: string;
  /** The first condition that is false; empty if none is. */
  readonly excludedBy: string;
  /** How many could not be evaluated. */
  readonly failures: number;
  readonly cost: number;
}

/** Evaluates conditions in order. */
export type MatchConditions = (activation: Activation) => MatchResult;

interface Condition {
  readonly expression: string;
  readonly program: Program | ConditionProblem;
}

/** Compiles match conditions. Upstream: apiserver, pkg/admission/plugin/webhook/matchconditions/matcher.go. */
export function matchConditions(
  conditions: readonly JsonObject[],
  environment: Environment,
): MatchConditions | undefined {
  if (conditions.length === 0) return undefined;
  const compiled = conditions.map((condition): Condition => {
    const expression = textAt(condition, "expression");
    const result = compileCondition(expression, environment);
    return { expression, program: "problem" in result ? result : result.program };
  });
  return (activation) => evaluated(compiled, activation);
}

/** Every condition is evaluated before the first result counts, and all share one budget. */
function evaluated(conditions: readonly Condition[], activation: Activation): MatchResult {
  const errors: string[] = [];
  let excludedBy: string | undefined;
  let cost = 0;
  for (const { expression, program } of conditions) {
    if ("problem" in program) {
      if (excludedBy === undefined) errors.push(`compilation error: ${program.problem}`);
      continue;
    }
    const outcome = program.evaluate(activation, perCallLimit);
    cost += outcome.cost;
    if (cost > budget) return { matches: false, error: overBudget, excludedBy: "", failures: 0, cost };
    if (outcome.error !== undefined && excludedBy === undefined) {
      errors.push(`expression '${expression}' resulted in error: ${outcome.error}`);
    } else if (outcome.value === false) excludedBy ??= expression;
  }
  const failures = errors.length;
  if (excludedBy !== undefined) return { matches: false, error: "", excludedBy, failures, cost };
  return { matches: failures === 0, error: aggregateText(errors), excludedBy: "", failures, cost };
}
