import type { Library } from "../../src/cel/environment/declarations.ts";
import type { Expression } from "../../src/cel/syntax/expression.ts";
import { unusedVariable } from "../../src/cel/syntax/expression.ts";
import type { ExpressionBuilder, Macro, MacroExpansion } from "../../src/cel/syntax/expression-builder.ts";

/**
 * `cel.block([a, b], e)` and the names in it, which only tests write: optimizers share parts of an expression so. The
 * slots are bound one after the other.
 */
export const blocks: Library = {
  functions: [],
  macros: [
    ofCel("block", 2, (build, _target, [slots, result]) => {
      if (slots?.kind !== "list" || result === undefined) return undefined;
      return slots.elements.reduceRight((inner, slot, i) => bound(build, `@index${i}`, slot, inner), result);
    }),
    ofCel("index", 1, (build, _target, args) => build.identifier(`@index${numbers(args)}`)),
    ofCel("iterVar", 2, (build, _target, args) => build.identifier(`@it:${numbers(args)}`)),
    ofCel("accuVar", 2, (build, _target, args) => build.identifier(`@ac:${numbers(args)}`)),
  ],
};

function ofCel(name: string, argumentCount: number, expand: MacroExpansion): Macro {
  return {
    name,
    argumentCount,
    isMember: true,
    expand: (build, target, args) =>
      target?.kind === "identifier" && target.name === "cel" ? expand(build, target, args) : undefined,
  };
}

function numbers(args: readonly Expression[]): string {
  return args.map((argument) => (argument.kind === "literal" ? String(argument.value) : "")).join(":");
}

function bound(build: ExpressionBuilder, name: string, initial: Expression, result: Expression): Expression {
  return build.comprehension({
    form: "bind",
    range: build.list(),
    variable: unusedVariable,
    accumulator: name,
    initial,
    condition: build.literal(false),
    step: build.identifier(name),
    result,
  });
}
