import type { Expression } from "./expression.ts";
import { unusedVariable } from "./expression.ts";
import { type ExpressionBuilder, type Macro, MacroError, type MacroExpansion } from "./expression-builder.ts";
import { operators } from "./operators.ts";
import { iterationVariable, quantifier } from "./quantifiers.ts";

/** The macros of the language: has, all, exists, exists_one, map, filter. */
export const standardMacros: readonly Macro[] = [
  { name: "has", argumentCount: 1, isMember: false, expand: expandHas },
  member("all", 2, quantifier("all")),
  member("exists", 2, quantifier("exists")),
  member("exists_one", 2, quantifier("existsOne")),
  member("existsOne", 2, quantifier("existsOne")),
  member("map", 2, expandMap),
  member("map", 3, expandMap),
  member("filter", 2, expandFilter),
];

/** The macros of optional types: optMap and optFlatMap. */
export const optionalMacros: readonly Macro[] = [
  member(
    "optMap",
    2,
    optionalMacro("optMap", (build, value) => build.call("optional.of", value)),
  ),
  member(
    "optFlatMap",
    2,
    optionalMacro("optFlatMap", (_build, value) => value),
  ),
];

/** `cel.bind(name, value, expression)`. */
export const bindingMacros: readonly Macro[] = [member("bind", 3, expandBind)];

/** The macro of a member function. */
export function member(name: string, argumentCount: number, expand: MacroExpansion): Macro {
  return { name, argumentCount, isMember: true, expand };
}

function expandHas(
  build: ExpressionBuilder,
  _target: Expression | undefined,
  [argument]: readonly Expression[],
): Expression | undefined {
  if (argument === undefined) return undefined;
  if (argument.kind !== "select") throw new MacroError(argument, "invalid argument to has() macro");
  return build.presenceTest(argument.operand, argument.field);
}

/** `range.map(x, transform)` and `range.map(x, filter, transform)`. */
export function expandMap(
  build: ExpressionBuilder,
  range: Expression | undefined,
  args: readonly Expression[],
): Expression | undefined {
  const [first, second, third] = args;
  if (range === undefined || first === undefined || second === undefined) return undefined;
  const variable = iterationVariable(first, "argument is not an identifier");
  return third === undefined
    ? collected(build, { range, variable, item: second })
    : collected(build, { range, variable, item: third, predicate: second });
}

function expandFilter(
  build: ExpressionBuilder,
  range: Expression | undefined,
  [first, predicate]: readonly Expression[],
): Expression | undefined {
  if (range === undefined || first === undefined || predicate === undefined) return undefined;
  const variable = iterationVariable(first, "argument is not an identifier");
  return collected(build, { range, variable, item: first, predicate });
}

interface Collection {
  readonly range: Expression;
  readonly variable: string;
  readonly item: Expression;
  readonly predicate?: Expression;
}

/** The list of an item for each element of the range; with a predicate, for those that fulfil it. */
function collected(build: ExpressionBuilder, { range, variable, item, predicate }: Collection): Expression {
  const initial = build.list();
  const condition = build.literal(true);
  const append = build.call(operators.add, build.accumulator(), build.list(item));
  const step =
    predicate === undefined
      ? append
      : build.call(operators.conditional, predicate, append, build.accumulator());
  const result = build.accumulator();
  return build.comprehension({ form: "list", range, variable, initial, condition, step, result });
}

/** `target.optMap(x, e)`: if the target has a value, e with x bound to it, otherwise none. */
function optionalMacro(
  name: string,
  wrap: (build: ExpressionBuilder, value: Expression) => Expression,
): MacroExpansion {
  return (build, target, [variable, mapped]) => {
    if (target === undefined || variable === undefined || mapped === undefined) return undefined;
    if (variable.kind !== "identifier") {
      throw new MacroError(variable, `${name}() variable name must be a simple identifier`);
    }
    const bound = build.comprehension({
      form: "bind",
      range: build.list(),
      variable: unusedVariable,
      accumulator: variable.name,
      initial: build.memberCall("value", build.copy(target)),
      condition: build.literal(false),
      step: build.identifier(variable.name),
      result: mapped,
    });
    return build.call(
      operators.conditional,
      build.memberCall("hasValue", target),
      wrap(build, bound),
      build.call("optional.none"),
    );
  };
}

function expandBind(
  build: ExpressionBuilder,
  target: Expression | undefined,
  [variable, initial, result]: readonly Expression[],
): Expression | undefined {
  if (target?.kind !== "identifier" || target.name !== "cel") return undefined;
  if (variable === undefined || initial === undefined || result === undefined) return undefined;
  if (variable.kind !== "identifier") {
    throw new MacroError(variable, "cel.bind() variable names must be simple identifiers");
  }
  return build.comprehension({
    form: "bind",
    range: build.list(),
    variable: unusedVariable,
    accumulator: variable.name,
    initial,
    condition: build.literal(false),
    step: build.identifier(variable.name),
    result,
  });
}
