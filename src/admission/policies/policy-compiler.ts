import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Release } from "../../apimachinery/release.ts";
import { type AdmissionEnvironmentOptions, admissionEnvironment } from "../../cel/admission-environment.ts";
import { Composition } from "../../cel/composition.ts";
import { type ConditionProblem, compileReturning } from "../../cel/condition.ts";
import type { Environment } from "../../cel/environment/environment.ts";
import type { Program } from "../../cel/program/program.ts";
import type { CelType } from "../../cel/types/cel-type.ts";
import { type MatchConditions, matchConditions } from "../expressions/match-conditions.ts";

/** An expression of a policy as it was compiled. */
export interface PolicyExpression {
  readonly expression: string;
  readonly program: Program | ConditionProblem;
}

export interface PolicyVariable extends PolicyExpression {
  readonly name: string;
}

/** Compiles the expressions of one stored policy. Its variables are compiled first. */
export class PolicyCompiler {
  readonly variables: readonly PolicyVariable[];
  /** Undefined without conditions. */
  readonly conditions: MatchConditions | undefined;
  /** The environment of expressions that may ask the authorizer. */
  readonly environment: Environment;
  readonly #release: Release;
  readonly #libraryCosts: "full" | "one";
  readonly #hasParams: boolean;
  readonly #composition = new Composition();

  constructor(spec: JsonObject, release: Release, libraryCosts: "full" | "one") {
    this.#release = release;
    this.#libraryCosts = libraryCosts;
    this.#hasParams = objectAt(spec, "paramKind") !== undefined;
    this.environment = this.environmentWith({ hasAuthorizer: true });
    this.variables = listAt(spec, "variables").map((variable) => this.#variableOf(variable));
    this.conditions = matchConditions(listAt(spec, "matchConditions"), this.environment);
  }

  environmentWith(
    further: Pick<AdmissionEnvironmentOptions, "hasAuthorizer" | "objectTypes" | "extensions">,
  ): Environment {
    return admissionEnvironment({
      ...further,
      release: this.#release,
      expressions: "stored",
      libraryCosts: this.#libraryCosts,
      hasParams: this.#hasParams,
      variables: [["variables", this.#composition.type]],
    });
  }

  #variableOf(variable: JsonObject): PolicyVariable {
    const name = textAt(variable, "name");
    const expression = textAt(variable, "expression");
    const compiled = compileReturning(expression, this.environment, "anything");
    this.#composition.declare(name, "problem" in compiled ? undefined : compiled.type);
    return { name, expression, program: "problem" in compiled ? compiled : compiled.program };
  }
}

/** Compiles an expression of a policy, which must have a value of one of the types. */
export function policyExpression(
  expression: string,
  environment: Environment,
  returned: readonly CelType[],
): PolicyExpression {
  const compiled = compileReturning(expression, environment, returned);
  return { expression, program: "problem" in compiled ? compiled : compiled.program };
}
