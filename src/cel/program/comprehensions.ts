import type { Comprehension, Expression } from "../syntax/expression.ts";
import { operators } from "../syntax/operators.ts";
import { celError, isError, noSuchOverload } from "../values/cel-error.ts";
import { entryOf, isKey, isList, isMap, keysOf } from "../values/containers.ts";
import { showValue } from "../values/show.ts";
import { type CelValue, MapValue } from "../values/value.ts";
import type { CompilerContext } from "./compiler-context.ts";
import type { Code, Evaluate, Frame } from "./frame.ts";
import { joinVerdicts } from "./logic.ts";

/** What is done with each element; false ends the loop. */
type Visit = (frame: Frame) => boolean;

/** Calls `visit` for each element, with its variables in their slots; the error of a range that has no elements. */
type Loop = (frame: Frame, visit: Visit) => CelValue | undefined;

/**
 * The charges of a step besides what the macro's arguments cost: reading the accumulator in the condition and in the
 * step, calling @not_strictly_false, making a list of one element and appending it.
 */
const charges = { all: 3, exists: 4, append: 12, insert: 2, count: 2, result: 1 };

export function compileComprehension(context: CompilerContext, node: Comprehension): Code {
  const range = context.compile(node.range);
  const initial = context.compile(node.initial);
  if (node.form === "bind") return compileBind(context, node, initial);
  return context.withLocals([node.accumulator], () => {
    const second = node.secondVariable;
    const variables = second === undefined ? [node.variable] : [node.variable, second];
    return context.withLocals(variables, (slots) => {
      const loop = loopOver(range.run, slots);
      return compileLoop(context, node, loop, initial);
    });
  });
}

/** The value is computed when it is first read. */
function compileBind(context: CompilerContext, node: Comprehension, initial: Code): Code {
  const bind = ([slot = 0]: readonly number[]): Code => {
    const { run } = context.compile(node.result);
    return {
      run: (frame) => {
        frame.slots[slot] = undefined;
        return run(frame);
      },
    };
  };
  return context.withLocals([node.accumulator], bind, initial.run);
}

function compileLoop(context: CompilerContext, node: Comprehension, loop: Loop, initial: Code): Code {
  switch (node.form) {
    case "all":
      return { run: quantifying(loop, context.compile(operandOf(node.step, 1)).run, false) };
    case "exists":
      return { run: quantifying(loop, context.compile(operandOf(node.step, 1)).run, true) };
    case "existsOne":
      return { run: counting(loop, context.compile(operandOf(node.step, 0)).run) };
    case "list":
      return { run: appending(context, node, loop, initial.run) };
    default:
      return { run: inserting(context, node, loop, initial.run) };
  }
}

/** all and exists: the first verdict that is decisive ends the loop, and outweighs errors before it. */
function quantifying(loop: Loop, predicate: Evaluate, decisive: boolean): Evaluate {
  const charge = decisive ? charges.exists : charges.all;
  return (frame) => {
    let verdict: CelValue = !decisive;
    const failure = loop(frame, (current) => {
      if (verdict === decisive) {
        // The condition sees that the verdict is decisive.
        current.charge(charge - 1);
        return false;
      }
      // The end of the loop checks the limit, and so do the calls in the predicate.
      current.cost += charge;
      const own = predicate(current);
      verdict =
        verdict === !decisive && typeof own === "boolean" ? own : joinVerdicts(verdict, own, decisive);
      return true;
    });
    frame.charge(charges.result);
    return failure ?? verdict;
  };
}

function counting(loop: Loop, predicate: Evaluate): Evaluate {
  return (frame) => {
    let count = 0;
    let error: CelValue | undefined;
    const failure = loop(frame, (current) => {
      current.charge(0);
      const holds = predicate(current);
      if (typeof holds !== "boolean") {
        error ??= isError(holds) ? holds : noSuchOverload;
        return true;
      }
      if (holds) {
        count++;
        current.charge(charges.count);
      }
      return true;
    });
    // Reading the count and comparing it.
    frame.charge(charges.result + 1);
    return failure ?? error ?? count === 1;
  };
}

/** map, filter and transformList. */
function appending(context: CompilerContext, node: Comprehension, loop: Loop, initial: Evaluate): Evaluate {
  const { filter, step } = filteredStep(context, node.step);
  const list = operandOf(step, 1);
  if (list.kind !== "list" || list.elements[0] === undefined) throw new Error("the step appends no element");
  const transformed = context.compile(list.elements[0]);
  const charge = transformed.constant === undefined ? charges.append : charges.append - 10;
  return (frame) => {
    initial(frame);
    const result: CelValue[] = [];
    let error: CelValue | undefined;
    const failure = loop(frame, (current) => {
      const holds = filter === undefined ? true : filter(current);
      if (holds !== true) {
        if (holds !== false) error = isError(holds) ? holds : noSuchOverload;
        return error === undefined;
      }
      current.charge(charge);
      const value = transformed.run(current);
      if (isError(value)) error = value;
      else result.push(value);
      return error === undefined;
    });
    frame.charge(charges.result);
    return failure ?? error ?? result;
  };
}

/** transformMap and transformMapEntry. */
function inserting(context: CompilerContext, node: Comprehension, loop: Loop, initial: Evaluate): Evaluate {
  const { filter, step } = filteredStep(context, node.step);
  if (step.kind !== "call") throw new Error("the step inserts no entry");
  const [key, value] = step.arguments.slice(1).map((argument) => context.compile(argument).run);
  return (frame) => {
    initial(frame);
    const result = new MapValue();
    let error: CelValue | undefined;
    const failure = loop(frame, (current) => {
      const holds = filter === undefined ? true : filter(current);
      if (holds !== true) {
        if (holds !== false) error = isError(holds) ? holds : noSuchOverload;
        return error === undefined;
      }
      current.charge(charges.insert);
      const first = key?.(current) ?? null;
      error = value === undefined ? insertAll(result, first) : insert(result, first, value(current));
      return error === undefined;
    });
    frame.charge(charges.result);
    return failure ?? error ?? result;
  };
}

function insertAll(map: MapValue, entries: CelValue): CelValue | undefined {
  if (isError(entries)) return entries;
  if (!isMap(entries)) return noSuchOverload;
  for (const key of keysOf(entries)) {
    const error = insert(map, key, entryOf(entries, key) ?? null);
    if (error !== undefined) return error;
  }
  return undefined;
}

function insert(map: MapValue, key: CelValue, value: CelValue): CelValue | undefined {
  if (isError(key)) return key;
  if (isError(value)) return value;
  if (!isKey(key)) return noSuchOverload;
  if (map.get(key) !== undefined) return celError(`insert failed: key ${showValue(key)} already exists`);
  map.set(key, value);
  return undefined;
}

function filteredStep(context: CompilerContext, step: Expression) {
  if (step.kind !== "call" || step.function !== operators.conditional) return { filter: undefined, step };
  return { filter: context.compile(operandOf(step, 0)).run, step: operandOf(step, 1) };
}

function operandOf(node: Expression, index: number): Expression {
  const operand = node.kind === "call" ? node.arguments[index] : undefined;
  if (operand === undefined) throw new Error("the step of a comprehension has another form");
  return operand;
}

/** The loop over the elements of a list or the keys of a map. */
function loopOver(range: Evaluate, slots: readonly number[]): Loop {
  const [first = 0, second] = slots;
  return (frame, visit) => {
    const value = range(frame);
    if (isError(value)) return value;
    const { slots: values } = frame;
    if (isList(value)) {
      for (let i = 0; i < value.length; i++) {
        const item = value[i] ?? null;
        values[first] = second === undefined ? item : i;
        if (second !== undefined) values[second] = item;
        if (!visit(frame)) break;
      }
      return undefined;
    }
    if (!isMap(value)) return noSuchOverload;
    for (const key of keysOf(value)) {
      values[first] = key;
      if (second !== undefined) values[second] = entryOf(value, key) ?? null;
      if (!visit(frame)) break;
    }
    return undefined;
  };
}
