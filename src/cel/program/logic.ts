import type { Call } from "../syntax/expression.ts";
import { operators } from "../syntax/operators.ts";
import { isError, noSuchOverload } from "../values/cel-error.ts";
import { type CelValue, Optional } from "../values/value.ts";
import type { CompilerContext } from "./compiler-context.ts";
import type { Code, Evaluate } from "./frame.ts";

/** Compiles an operator that does not need all its operands; undefined for other calls. */
export function compileLazy(context: CompilerContext, node: Call): Code | undefined {
  switch (node.function) {
    case operators.and:
      return logical(context, node, false);
    case operators.or:
      return logical(context, node, true);
    case operators.conditional:
      return conditional(context, node);
    case "or":
      return node.target === undefined ? undefined : optionalOr(context, node, (option) => option);
    case "orValue":
      return node.target === undefined
        ? undefined
        : optionalOr(context, node, (option) => option.value ?? null);
    default:
      return undefined;
  }
}

/** The value of a logical operand. */
export type Verdict = boolean;

/** Joins two verdicts, of which `decisive` decides alone, whatever the other one is. */
export function joinVerdicts(left: CelValue, right: CelValue, decisive: Verdict): CelValue {
  if (left === decisive || right === decisive) return decisive;
  if (isError(left)) return left;
  if (typeof left !== "boolean") return noSuchOverload;
  if (isError(right)) return right;
  return typeof right === "boolean" ? right : noSuchOverload;
}

function logical(context: CompilerContext, node: Call, decisive: Verdict): Code {
  const [left, right] = operandsOf(context, node);
  return {
    run: (frame) => {
      const first = left(frame);
      if (first === decisive) return first;
      const second = right(frame);
      return first === !decisive && typeof second === "boolean"
        ? second
        : joinVerdicts(first, second, decisive);
    },
  };
}

function conditional(context: CompilerContext, node: Call): Code {
  const [condition, whenTrue, whenFalse] = node.arguments.map((argument) => context.compile(argument));
  if (condition === undefined || whenTrue === undefined || whenFalse === undefined) {
    throw new Error("a condition needs three operands");
  }
  const test = condition.run;
  const yes = whenTrue.uncharged ?? whenTrue.run;
  const no = whenFalse.uncharged ?? whenFalse.run;
  const run: Evaluate = (frame) => {
    const verdict = test(frame);
    if (verdict === true) return yes(frame);
    if (verdict === false) return no(frame);
    return isError(verdict) ? verdict : noSuchOverload;
  };
  return { run, uncharged: run };
}

/** `optional.or(other)` and `optional.orValue(other)` */
function optionalOr(context: CompilerContext, node: Call, unwrap: (option: Optional) => CelValue): Code {
  const [option, other] = operandsOf(context, node);
  return {
    run: (frame) => {
      const value = option(frame);
      if (!(value instanceof Optional)) return isError(value) ? value : noSuchOverload;
      return value.value === undefined ? other(frame) : unwrap(value);
    },
  };
}

function operandsOf(context: CompilerContext, node: Call): readonly [Evaluate, Evaluate] {
  const operands = node.target === undefined ? node.arguments : [node.target, ...node.arguments];
  const [first, second] = operands.map((operand) => context.compile(operand).run);
  if (first === undefined || second === undefined) throw new Error(`${node.function} needs two operands`);
  return [first, second];
}
