import type { JsonValue } from "../../../apimachinery/json.ts";

/**
 * A value of a template; undefined is Go's invalid value, which a missing key has. A bigint is an int of the template; numbers of the object are
 * `json.Number`, which Go's templates treat as text (KWOK, pkg/utils/gotpl/renderer.go).
 */
export type TemplateValue = JsonValue | undefined;

export type TemplateNode =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "output"; readonly pipeline: Pipeline }
  | {
      readonly type: "if" | "with" | "range";
      readonly pipeline: Pipeline;
      readonly body: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
    };

/** Commands, of which each gets the result of the one before as its last argument. */
export interface Pipeline {
  /** The variables that get the result. */
  readonly variables: readonly string[];
  readonly isAssignment: boolean;
  readonly commands: readonly (readonly Operand[])[];
}

export type Operand =
  | { readonly type: "literal"; readonly value: TemplateValue }
  | { readonly type: "function"; readonly name: string }
  | { readonly type: "dot" }
  | { readonly type: "variable"; readonly name: string }
  | { readonly type: "pipeline"; readonly pipeline: Pipeline }
  | { readonly type: "field"; readonly of: Operand; readonly name: string };
