import type { Release } from "../../apimachinery/release.ts";
import { type CompiledExpression, compile } from "../../cel/compilation.ts";
import type { Environment } from "../../cel/environment/environment.ts";
import { kubernetesEnvironment } from "../../cel/kubernetes-environment.ts";
import { children } from "../../cel/syntax/children.ts";
import type { Expression } from "../../cel/syntax/expression.ts";
import { operators } from "../../cel/syntax/operators.ts";
import { type CelType, listType, mapType, types } from "../../cel/types/cel-type.ts";
import type { CelValue } from "../../cel/values/value.ts";
import { TokenError } from "./token-error.ts";

/** Why an expression of a configuration is refused, in upstream's words. */
export interface RefusedExpression {
  readonly problem: string;
}

/** Compiles the expressions of a configuration, each once. Upstream: apiserver, pkg/authentication/cel/compile.go. */
export class ClaimExpressions {
  readonly #claims: Environment;
  readonly #user: Environment;
  readonly #compiled = new Map<string, CompiledExpression | RefusedExpression>();

  constructor(release: Release) {
    const shared = { release, expressions: "stored" } as const;
    this.#claims = kubernetesEnvironment({
      ...shared,
      variables: [["claims", mapType(types.string, types.dyn)]],
    });
    this.#user = kubernetesEnvironment({
      ...shared,
      variables: [["user", userInfoType]],
      objectTypes: [userInfoType],
    });
  }

  /** A mapping, which may have any type, of the variable `claims`. */
  mapping(expression: string): CompiledExpression | RefusedExpression {
    return this.#of("mapping", expression, this.#claims);
  }

  /** A rule, which is a bool, of the variable `claims`. */
  claimRule(expression: string): CompiledExpression | RefusedExpression {
    return this.#of("claim rule", expression, this.#claims);
  }

  /** A rule, which is a bool, of the variable `user`. */
  userRule(expression: string): CompiledExpression | RefusedExpression {
    return this.#of("user rule", expression, this.#user);
  }

  #of(
    use: "mapping" | "claim rule" | "user rule",
    expression: string,
    environment: Environment,
  ): CompiledExpression | RefusedExpression {
    const key = `${use} ${expression}`;
    let compiled = this.#compiled.get(key);
    if (compiled === undefined) {
      compiled = accepted(compile(expression, environment), use === "mapping" ? undefined : "bool");
      this.#compiled.set(key, compiled);
    }
    return compiled;
  }
}

/** The fields of the variable `user`. */
const userFields: ReadonlyMap<string, CelType> = new Map([
  ["username", types.string],
  ["uid", types.string],
  ["groups", listType(types.string)],
  ["extra", mapType(types.string, listType(types.string))],
]);

const userInfoType: CelType = {
  kind: "object",
  name: "kubernetes.UserInfo",
  parameters: [],
  field: (name) => userFields.get(name),
};

function accepted(
  outcome: ReturnType<typeof compile>,
  needed: "bool" | undefined,
): CompiledExpression | RefusedExpression {
  if (!("program" in outcome)) {
    const what = outcome.kind === "compilation" ? "compilation failed" : "program instantiation failed";
    return { problem: `${what}: ${outcome.message}` };
  }
  if (needed !== undefined && outcome.type.kind !== needed) return { problem: `must evaluate to ${needed}` };
  return outcome;
}

/** The value of an expression. @throws {TokenError} that begins with what was evaluated, in upstream's words */
export function evaluated(
  expressions: CompiledExpression | RefusedExpression,
  expression: string,
  variables: { readonly [name: string]: CelValue },
): CelValue {
  // The configuration is valid, so its expressions compile.
  if ("problem" in expressions) throw new Error(expressions.problem);
  const outcome = expressions.program.evaluate(variables);
  if (outcome.error === undefined) return outcome.value;
  throw new TokenError(`expression '${expression}' resulted in error: ${outcome.error}`);
}

/** Whether an expression reads this claim, also as `claims.?name` or `has(claims.name)`. */
export function readsClaim({ checked }: CompiledExpression, name: string): boolean {
  return selects(checked.root, name);
}

function selects(node: Expression, name: string): boolean {
  if (node.kind === "select" && node.field === name && isClaims(node.operand)) return true;
  if (node.kind === "call" && node.function === operators.optionalSelect && node.target === undefined) {
    const [operand, field] = node.arguments;
    if (operand && isClaims(operand) && field?.kind === "literal" && field.value === name) return true;
  }
  return children(node).some((each) => selects(each, name));
}

function isClaims(node: Expression): boolean {
  return node.kind === "identifier" && node.name === "claims";
}
