import type { Overload } from "../environment/declarations.ts";
import type { Environment } from "../environment/environment.ts";
import type { Expression } from "../syntax/expression.ts";
import { type CelType, types } from "../types/cel-type.ts";
import type { CelValue } from "../values/value.ts";

/** What a name or a call refers to. */
export type Reference =
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "constant"; readonly value: CelValue }
  | { readonly kind: "call"; readonly overloads: readonly Overload[]; readonly isGlobal: boolean };

/** An expression whose names are resolved and whose types are known. */
export interface CheckedExpression {
  readonly root: Expression;
  readonly offsets: readonly number[];
  readonly environment: Environment;
  /** The types of the nodes by id. */
  readonly types: readonly (CelType | undefined)[];
  /** What names and calls refer to, by id. */
  readonly references: readonly (Reference | undefined)[];
}

/** The type of a node of a checked expression. */
export function typeOfNode(checked: CheckedExpression, node: Expression): CelType {
  return checked.types[node.id] ?? types.dyn;
}
