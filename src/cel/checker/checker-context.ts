import type { Environment } from "../environment/environment.ts";
import type { Expression } from "../syntax/expression.ts";
import type { CelType } from "../types/cel-type.ts";
import type { Scope } from "./scope.ts";
import type { Substitutions } from "./substitutions.ts";

/** What the rules for literals and comprehensions need from the checker. Errors return the type of errors. */
export interface CheckerContext {
  readonly environment: Environment;
  readonly substitutions: Substitutions;
  readonly scope: Scope;
  check(node: Expression): CelType;
  error(id: number, message: string): CelType;
  undeclared(id: number, name: string): CelType;
  mismatch(id: number, expected: CelType, actual: CelType): CelType;
  /** The common type of elements; dyn if they have none. */
  join(previous: CelType | undefined, current: CelType): CelType;
}
