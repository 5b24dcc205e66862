import type { CelValue } from "../values/value.ts";

/** A node of the syntax tree. `id` is its place in the tables of positions and of the checker. */
export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | StructLiteral
  | Comprehension;

interface Node {
  readonly id: number;
}

export interface Literal extends Node {
  readonly kind: "literal";
  readonly value: CelValue;
}

export interface Identifier extends Node {
  readonly kind: "identifier";
  readonly name: string;
}

/** `operand.field`; if `testOnly`, `has(operand.field)`. */
export interface Select extends Node {
  readonly kind: "select";
  readonly operand: Expression;
  readonly field: string;
  readonly testOnly: boolean;
}

/** A call of a function, of an operator by its name in cel-go (`_+_`), or of a member function of `target`. */
export interface Call extends Node {
  readonly kind: "call";
  readonly function: string;
  readonly target: Expression | undefined;
  readonly arguments: readonly Expression[];
}

export interface ListLiteral extends Node {
  readonly kind: "list";
  readonly elements: readonly Expression[];
  /** The indices of the elements that are written `?element`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapLiteral extends Node {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
}

export interface MapEntry extends Node {
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface StructLiteral extends Node {
  readonly kind: "struct";
  readonly name: string;
  readonly fields: readonly StructField[];
}

export interface StructField extends Node {
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/** What a comprehension makes: the verdict of a quantifier, a list, a map, or one value with a name for another. */
export type ComprehensionForm = "all" | "exists" | "existsOne" | "list" | "map" | "bind";

/**
 * What a macro such as `all` expands to: `accumulator` starts as `initial` and becomes `step` for each element of
 * `range` as long as `condition` is true; the value is `result`.
 */
export interface Comprehension extends Node {
  readonly kind: "comprehension";
  readonly form: ComprehensionForm;
  readonly range: Expression;
  /** The element of a list or the key of a map; with `secondVariable`, the index or the key. */
  readonly variable: string;
  readonly secondVariable: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** The name of the accumulator of macros; no expression can spell it. */
export const accumulatorName = "@result";

/** The iteration variable of `cel.bind`, which binds its accumulator only. */
export const unusedVariable = "#unused";
