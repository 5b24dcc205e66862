import { accumulatorName, type ComprehensionForm, type Expression } from "./expression.ts";
import { type ExpressionBuilder, MacroError, type MacroExpansion } from "./expression-builder.ts";
import { operators } from "./operators.ts";

export type Quantifier = Extract<ComprehensionForm, "all" | "exists" | "existsOne">;

/** The expansion of `range.all(x, predicate)`, and of `range.all(i, x, predicate)`. */
export function quantifier(kind: Quantifier): MacroExpansion {
  return (build, range, args) => {
    const predicate = args.at(-1);
    if (range === undefined || predicate === undefined) return undefined;
    const variables = args.length === 3 ? iterationVariables(args) : [quantifiedVariable(args)];
    const [variable = "", secondVariable] = variables;
    return build.comprehension({
      form: kind,
      range,
      variable,
      secondVariable,
      ...loop(build, kind, predicate),
    });
  };
}

/** The name of an iteration variable. Throws a MacroError. */
export function iterationVariable(node: Expression, message: string): string {
  if (node.kind !== "identifier") throw new MacroError(node, message);
  forbidAccumulator(node, node.name);
  return node.name;
}

/** The names of the first two arguments, which must differ. Throws a MacroError. */
export function iterationVariables([first, second]: readonly Expression[]): readonly [string, string] {
  if (first === undefined || second === undefined) return ["", ""];
  const names = [first, second].map((node) => {
    if (node.kind !== "identifier") throw new MacroError(node, "argument must be a simple name");
    return node.name;
  });
  const [a = "", b = ""] = names;
  if (a === b) throw new MacroError(second, `duplicate variable name: ${a}`);
  forbidAccumulator(first, a);
  forbidAccumulator(second, b);
  return [a, b];
}

function quantifiedVariable([first]: readonly Expression[]): string {
  return first === undefined ? "" : iterationVariable(first, "argument must be a simple name");
}

function forbidAccumulator(node: Expression, name: string): void {
  if (name === accumulatorName || name === "__result__") {
    throw new MacroError(node, "iteration variable overwrites accumulator variable");
  }
}

function loop(build: ExpressionBuilder, kind: Quantifier, predicate: Expression) {
  switch (kind) {
    case "all":
      return {
        initial: build.literal(true),
        condition: build.call(operators.notStrictlyFalse, build.accumulator()),
        step: build.call(operators.and, build.accumulator(), predicate),
        result: build.accumulator(),
      };
    case "exists":
      return {
        initial: build.literal(false),
        condition: build.call(operators.notStrictlyFalse, build.call(operators.not, build.accumulator())),
        step: build.call(operators.or, build.accumulator(), predicate),
        result: build.accumulator(),
      };
    case "existsOne":
      return {
        initial: build.literal(0),
        condition: build.literal(true),
        step: build.call(
          operators.conditional,
          predicate,
          build.call(operators.add, build.accumulator(), build.literal(1)),
          build.accumulator(),
        ),
        result: build.call(operators.equals, build.accumulator(), build.literal(1)),
      };
  }
}
