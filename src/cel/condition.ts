import { type CompiledExpression, compile } from "./compilation.ts";
import type { Environment } from "./environment/environment.ts";
import { formatType } from "./types/format-type.ts";

/** Why an expression is no condition: the words of upstream, and whether it is a compiler's finding. */
export interface ConditionProblem {
  readonly problem: string;
  /** `internal` for a part that cannot succeed; upstream words the error of validation accordingly. */
  readonly kind: "invalid" | "internal";
}

/** Compiles an expression that must be a boolean. Upstream: apiserver, pkg/admission/plugin/cel/compile.go, CompileCELExpression. */
export function compileCondition(
  expression: string,
  environment: Environment,
): CompiledExpression | ConditionProblem {
  const compiled = compile(expression, environment);
  if (!("program" in compiled)) {
    return compiled.kind === "compilation"
      ? { problem: `compilation failed: ${compiled.message}`, kind: "invalid" }
      : { problem: `program instantiation failed: ${compiled.message}`, kind: "internal" };
  }
  if (compiled.type.kind !== "bool" || compiled.type.nullable) {
    return { problem: `must evaluate to bool but got ${formatType(compiled.type)}`, kind: "invalid" };
  }
  return compiled;
}
