import { fieldInternal, fieldInvalid } from "../../../apimachinery/errors/field.ts";
import { listAt, objectAt, textAt } from "../../../apimachinery/fields.ts";
import type { JsonObject } from "../../../apimachinery/json.ts";
import type { Release } from "../../../apimachinery/release.ts";
import type { Findings } from "../../../apimachinery/validation/findings.ts";
import {
  type AdmissionEnvironmentOptions,
  admissionEnvironment,
} from "../../../cel/admission-environment.ts";
import { Composition } from "../../../cel/composition.ts";
import { compileReturning } from "../../../cel/condition.ts";
import type { CelType } from "../../../cel/types/cel-type.ts";

/** What an expression may use and must return. */
interface ExpectedExpression
  extends Pick<AdmissionEnvironmentOptions, "hasAuthorizer" | "objectTypes" | "extensions"> {
  readonly returned: readonly CelType[];
  /** The expressions that the stored object has already; they may use what the release before does not have. */
  readonly stored: ReadonlySet<string>;
}

/** Compiles the expressions of a policy that is written. Variables come first, in their order. */
export class PolicyExpressions {
  readonly release: Release;
  readonly hasParams: boolean;
  readonly #storedVariables: ReadonlySet<string>;
  /** Undefined for a policy without variables, whose expressions cannot name `variables`. */
  readonly #composition: Composition | undefined;

  /** `old` is the spec of the stored policy; undefined on create. */
  constructor(release: Release, spec: JsonObject, old: JsonObject | undefined) {
    this.release = release;
    this.hasParams = objectAt(spec, "paramKind") !== undefined;
    this.#storedVariables = expressionsIn(old, "variables", "expression");
    this.#composition = listAt(spec, "variables").length === 0 ? undefined : new Composition();
  }

  /** Compiles a variable and declares it for the expressions after it. */
  addVariableErrors(errors: Findings, variable: JsonObject, field: string): void {
    const expression = textAt(variable, "expression");
    const type = this.#addErrors(errors, expression, expression, field, {
      returned: "anything",
      stored: this.#storedVariables,
    });
    this.#composition?.declare(textAt(variable, "name"), type);
  }

  /** `shown` is the expression as the error shows it. */
  addErrors(
    errors: Findings,
    expression: string,
    shown: string,
    field: string,
    expected: ExpectedExpression,
  ): void {
    this.#addErrors(errors, expression, shown, field, expected);
  }

  #addErrors(
    errors: Findings,
    expression: string,
    shown: string,
    field: string,
    {
      returned,
      stored,
      ...further
    }: Omit<ExpectedExpression, "returned"> & { readonly returned: readonly CelType[] | "anything" },
  ): CelType | undefined {
    const environment = admissionEnvironment({
      ...further,
      release: this.release,
      expressions: stored.has(shown) ? "stored" : "new",
      hasParams: this.hasParams,
      variables: this.#composition === undefined ? [] : [["variables", this.#composition.type]],
    });
    const compiled = compileReturning(expression, environment, returned);
    if (!("problem" in compiled)) return compiled.type;
    const { problem, kind } = compiled;
    errors.push(kind === "internal" ? fieldInternal(field, problem) : fieldInvalid(field, shown, problem));
    return undefined;
  }
}

/** The expressions in a list of a stored spec; none without one. */
export function expressionsIn(
  spec: JsonObject | undefined,
  list: string,
  ...path: readonly string[]
): ReadonlySet<string> {
  return new Set(spec && listAt(spec, list).map((item) => textAt(item, ...path)));
}
