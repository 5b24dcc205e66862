import { type CheckedExpression, typeOfNode } from "./checker/checked-expression.ts";
import { check } from "./checker/checker.ts";
import { addLiteralIssues } from "./checker/literal-validation.ts";
import type { Environment } from "./environment/environment.ts";
import { type Program, programOf } from "./program/program.ts";
import { type Issue, Issues } from "./syntax/issues.ts";
import { parse } from "./syntax/parser.ts";
import type { CelType } from "./types/cel-type.ts";

/** An expression that compiles. */
export interface CompiledExpression {
  readonly program: Program;
  readonly checked: CheckedExpression;
  /** The type of its value. */
  readonly type: CelType;
}

/** Why an expression does not compile. */
export interface CompilationFailure {
  /** The errors with their positions; empty if a part of the expression cannot succeed. */
  readonly issues: readonly Issue[];
  /** What cel-go writes: each error with its line and a pointer under the place, or the error of instantiation. */
  readonly message: string;
  readonly kind: "compilation" | "instantiation";
}

/** Compiles an expression. `description` stands for the source in messages. */
export function compile(
  expression: string,
  environment: Environment,
  description = "<input>",
): CompiledExpression | CompilationFailure {
  const checked = checkedExpression(new Issues({ text: expression, description }), environment);
  if ("issues" in checked) return checked;
  const program = programOf(checked);
  if ("instantiationError" in program) {
    return { issues: [], message: program.instantiationError, kind: "instantiation" };
  }
  return { program, checked, type: typeOfNode(checked, checked.root) };
}

function checkedExpression(issues: Issues, environment: Environment): CheckedExpression | CompilationFailure {
  const { macros, optionalSyntax, escapedIdentifiers } = environment;
  const parsed = parse(issues, { macros, optionalSyntax, escapedIdentifiers });
  if (issues.count > 0) return failure(issues);
  const checked = check(parsed, environment, issues);
  if (issues.count === 0) addLiteralIssues(checked, issues);
  return issues.count > 0 ? failure(issues) : checked;
}

/** The type of an expression that need not run, or why it does not compile. */
export function checkTypes(
  expression: string,
  environment: Environment,
): { readonly type: CelType } | CompilationFailure {
  const checked = checkedExpression(new Issues({ text: expression, description: "<input>" }), environment);
  return "issues" in checked ? checked : { type: typeOfNode(checked, checked.root) };
}

function failure(issues: Issues): CompilationFailure {
  return { issues: issues.list, message: issues.toString(), kind: "compilation" };
}
