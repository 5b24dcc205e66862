import type { Expression } from "./expression.ts";
import type { ExpressionBuilder, Macro, MacroExpansion } from "./expression-builder.ts";
import { member } from "./macros.ts";
import { operators } from "./operators.ts";
import { iterationVariables, quantifier } from "./quantifiers.ts";

/** The function that transformMap and transformMapEntry call; no expression can spell it. */
export const mapInsert = "cel.@mapInsert";

/** The macros with two variables: index and element of a list, key and value of a map. */
export const twoVariableMacros: readonly Macro[] = [
  member("all", 3, quantifier("all")),
  member("exists", 3, quantifier("exists")),
  member("existsOne", 3, quantifier("existsOne")),
  member("exists_one", 3, quantifier("existsOne")),
  ...transformation("transformList", "list", (build, _key, value) =>
    build.call(operators.add, build.accumulator(), build.list(value)),
  ),
  ...transformation("transformMap", "map", (build, key, value) =>
    build.call(mapInsert, build.accumulator(), build.identifier(key), value),
  ),
  ...transformation("transformMapEntry", "map", (build, _key, entry) =>
    build.call(mapInsert, build.accumulator(), entry),
  ),
];

type Append = (build: ExpressionBuilder, key: string, value: Expression) => Expression;

/** The macro without and with a filter before the transformation. */
function transformation(name: string, result: "list" | "map", append: Append): readonly Macro[] {
  const expand: MacroExpansion = (build, range, args) => {
    const value = args.at(-1);
    if (range === undefined || value === undefined) return undefined;
    const [variable, secondVariable] = iterationVariables(args);
    const appended = append(build, variable, value);
    const filter = args.length === 4 ? args[2] : undefined;
    const step =
      filter === undefined
        ? appended
        : build.call(operators.conditional, filter, appended, build.accumulator());
    const initial = result === "list" ? build.list() : build.emptyMap();
    const condition = build.literal(true);
    return build.comprehension({
      form: result,
      range,
      variable,
      secondVariable,
      initial,
      condition,
      step,
      result: build.accumulator(),
    });
  };
  return [member(name, 3, expand), member(name, 4, expand)];
}
