import { type CompiledExpression, compile } from "./compilation.ts";
import type { Environment } from "./environment/environment.ts";
import { type CelType, types } from "./types/cel-type.ts";
import { isExactly } from "./types/type-relations.ts";

/** Why an expression is not what it must be: the words of upstream, and whether it is a compiler's finding. */
export interface ConditionProblem {
  readonly problem: string;
  /** `internal` for a part that cannot succeed; upstream words the error of validation accordingly. */
  readonly kind: "invalid" | "internal";
}

/** Compiles an expression that must be a boolean. */
export function compileCondition(
  expression: string,
  environment: Environment,
): CompiledExpression | ConditionProblem {
  return compileReturning(expression, environment, [types.bool]);
}

/**
 * Compiles an expression whose value must have one of the types, or may be anything. Upstream: apiserver,
 * pkg/admission/plugin/cel/compile.go, CompileCELExpression.
 */
export function compileReturning(
  expression: string,
  environment: Environment,
  returned: readonly CelType[] | "anything",
): CompiledExpression | ConditionProblem {
  const compiled = compile(expression, environment);
  if (!("program" in compiled)) {
    return compiled.kind === "compilation"
      ? { problem: `compilation failed: ${compiled.message}`, kind: "invalid" }
      : { problem: `program instantiation failed: ${compiled.message}`, kind: "internal" };
  }
  const { type } = compiled;
  if (returned === "anything" || returned.some((one) => isExactly(one, type))) return compiled;
  const names = returned.map(shownType);
  const expected = names.length === 1 ? names[0] : `one of [${names.join(" ")}]`;
  return { problem: `must evaluate to ${expected} but got ${shownType(type)}`, kind: "invalid" };
}

/** A type by its name at run time, unlike in the messages of the checker (cel-go, common/types/types.go, Type.String). */
function shownType({ name, nullable, parameters }: CelType): string {
  if (nullable) return `wrapper(${name})`;
  return parameters.length === 0 ? name : `${name}(${parameters.map(shownType).join(", ")})`;
}
