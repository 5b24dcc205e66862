import { typeOfNode } from "../checker/checked-expression.ts";
import type { CallCost, Implementation, Overload } from "../environment/declarations.ts";
import type { Call } from "../syntax/expression.ts";
import { operators } from "../syntax/operators.ts";
import { CelError, isError, noSuchOverload } from "../values/cel-error.ts";
import { hasType } from "../values/type-of.ts";
import type { CelValue } from "../values/value.ts";
import { type CompilerContext, InstantiationError } from "./compiler-context.ts";
import { type Code, constantCode, type Evaluate } from "./frame.ts";
import { listOperation } from "./list-semantics.ts";

/** Compiles a call of a function that needs all its arguments. */
export function compileCall(context: CompilerContext, node: Call): Code {
  const reference = context.checked.references[node.id];
  if (reference?.kind !== "call") throw new Error(`${node.function} is not resolved`);
  const operands =
    reference.isGlobal || node.target === undefined ? node.arguments : [node.target, ...node.arguments];
  const codes = operands.map((operand) => context.compile(operand));
  const [overload] = reference.overloads;
  if (overload === undefined || reference.overloads.length > 1)
    return dispatching(reference.overloads, codes);
  const [left] = operands;
  const special = left && listOperation(overload.id, typeOfNode(context.checked, left));
  return compileOverload(node, special === undefined ? overload : { ...overload, call: special }, codes);
}

function compileOverload(node: Call, overload: Overload, codes: readonly Code[]): Code {
  const literals = codes.map(({ constant }) => constant);
  const prepared = overload.prepare?.(literals);
  if (prepared instanceof CelError) throw new InstantiationError(prepared);
  const call = typeof prepared === "function" ? prepared : overload.call;
  if (overload.isFoldable && literals.every((literal) => literal !== undefined)) {
    const value = call(...literals);
    if (isError(value)) throw new InstantiationError(value);
    return constantCode(value);
  }
  // A list of literals becomes a set in cel-go, which finds an element without a charge.
  const isFree = node.function === operators.in && overload.id === "in_list" && literals[1] !== undefined;
  return { run: invoking(call, isFree ? () => 0 : overload.cost, codes) };
}

/** Evaluates the arguments, of which the first error is the result, charges the call and calls. */
function invoking(call: Implementation, cost: CallCost | undefined, codes: readonly Code[]): Evaluate {
  const [first, second] = codes.map(({ run }) => run);
  if (codes.length > 2 || first === undefined) return invokingAny(call, cost, codes);
  if (cost !== undefined)
    return second === undefined ? invokingAny(call, cost, codes) : chargedPair(call, cost, first, second);
  if (second === undefined) {
    return (frame) => {
      const value = first(frame);
      frame.charge(1);
      return isError(value) ? value : call(value);
    };
  }
  return (frame) => {
    const left = first(frame);
    if (isError(left)) return left;
    const right = second(frame);
    if (isError(right)) return right;
    frame.charge(1);
    return call(left, right);
  };
}

/** Most calls with a cost have two arguments, and often the second one is a literal. */
function chargedPair(call: Implementation, cost: CallCost, first: Evaluate, second: Evaluate): Evaluate {
  // The arguments are read and forgotten within the call, so all calls of this place share one array.
  const args: [CelValue, CelValue] = [null, null];
  return (frame) => {
    const left = first(frame);
    if (isError(left)) return left;
    const right = second(frame);
    if (isError(right)) return right;
    const result = call(left, right);
    args[0] = left;
    args[1] = right;
    frame.charge(cost(args, result));
    return result;
  };
}

function invokingAny(call: Implementation, cost: CallCost | undefined, codes: readonly Code[]): Evaluate {
  const runs = codes.map(({ run }) => run);
  return (frame) => {
    const args: CelValue[] = [];
    for (const run of runs) {
      const value = run(frame);
      if (isError(value)) return value;
      args.push(value);
    }
    const result = call(...args);
    frame.charge(cost === undefined ? 1 : cost(args, result));
    return result;
  };
}

/** Chooses the overload at run time, because the types of the arguments are not known before. */
function dispatching(overloads: readonly Overload[], codes: readonly Code[]): Code {
  const runs = codes.map(({ run }) => run);
  return {
    run: (frame) => {
      const args: CelValue[] = [];
      for (const run of runs) {
        const value = run(frame);
        if (isError(value)) return value;
        args.push(value);
      }
      const overload = overloads.find(({ parameters }) =>
        parameters.every((parameter, i) => hasType(args[i] ?? null, parameter)),
      );
      const result = overload === undefined ? noSuchOverload : overload.call(...args);
      // cel-go knows the overload only if it is the only one, and charges 1 otherwise.
      frame.charge(1);
      return result;
    },
  };
}
