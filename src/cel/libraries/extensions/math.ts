import type {
  FunctionDeclaration,
  Implementation,
  Library,
  Overload,
} from "../../environment/declarations.ts";
import { declare, global } from "../../environment/declare.ts";
import type { Expression } from "../../syntax/expression.ts";
import { type Macro, MacroError } from "../../syntax/expression-builder.ts";
import { type CelType, listType, types } from "../../types/cel-type.ts";
import { celError, integerOverflow, isError } from "../../values/cel-error.ts";
import { double, doubleValue, type Int, intOf, isInt, Uint } from "../../values/numbers.ts";
import { compareValues, numberOf } from "../../values/order.ts";
import type { CelValue } from "../../values/value.ts";
import { doubles, or, unary } from "../arguments.ts";
import { isInteger, isListValue, isUint } from "../guards.ts";
import { bitFunctions } from "./math-bits.ts";

const { bool, double: doubleType, int, uint } = types;

const numbers: readonly (readonly [name: string, type: CelType])[] = [
  ["double", doubleType],
  ["int", int],
  ["uint", uint],
];

/** Functions of numbers, which Kubernetes does not have. */
export const math: Library = {
  functions: [
    extreme("min", (order) => order > 0),
    extreme("max", (order) => order < 0),
    ofDouble("ceil", Math.ceil),
    ofDouble("floor", Math.floor),
    ofDouble("round", (value) => Math.sign(value) * Math.round(Math.abs(value))),
    ofDouble("trunc", Math.trunc),
    test("isInf", (value) => !Number.isFinite(value) && !Number.isNaN(value)),
    test("isNaN", Number.isNaN),
    test("isFinite", Number.isFinite),
    ofNumbers("abs", Math.abs, absolute, (value) => value),
    ofNumbers(
      "sign",
      Math.sign,
      (value) => signOf(value),
      ({ value }) => new Uint(value === 0n ? 0n : 1n),
    ),
    declare(
      "math.sqrt",
      ...numbers.map(([name, type]) => global(`math_sqrt_${name}`, [type], doubleType, squareRoot)),
    ),
    ...bitFunctions,
  ],
  macros: [choice("least", "math.@min"), choice("greatest", "math.@max")],
};

function ofDouble(name: string, apply: (value: number) => number): FunctionDeclaration {
  const call = doubles((value = 0) => double(apply(value)));
  return declare(`math.${name}`, global(`math_${name}_double`, [doubleType], doubleType, call));
}

function test(name: string, holds: (value: number) => boolean): FunctionDeclaration {
  return declare(
    `math.${name}`,
    global(
      `math_${name}_double`,
      [doubleType],
      bool,
      doubles((value = 0) => holds(value)),
    ),
  );
}

function ofNumbers(
  name: string,
  ofDoubles: (value: number) => number,
  ofInts: (value: Int) => CelValue,
  ofUints: (value: Uint) => CelValue,
): FunctionDeclaration {
  return declare(
    `math.${name}`,
    global(
      `math_${name}_double`,
      [doubleType],
      doubleType,
      doubles((value = 0) => double(ofDoubles(value))),
    ),
    global(`math_${name}_int`, [int], int, unary(isInteger, ofInts)),
    global(`math_${name}_uint`, [uint], uint, unary(isUint, ofUints)),
  );
}

function absolute(value: Int): CelValue {
  return value < 0 ? or(intOf(-BigInt(value)), integerOverflow) : value;
}

function signOf(value: Int): Int {
  if (value === 0) return 0;
  return value > 0 ? 1 : -1;
}

function squareRoot(value: CelValue = null): CelValue {
  const number = numberOf(value);
  return number === undefined ? celError("no such overload: sqrt") : double(Math.sqrt(Number(number)));
}

function extreme(name: "min" | "max", isBetter: (order: number) => boolean): FunctionDeclaration {
  const suffix = `math.@${name}`;
  const pair = (a: CelValue, b: CelValue): CelValue => {
    const order = compareValues(a, b);
    if (isError(order)) return celError(`${order.message}: ${suffix}`);
    return isBetter(order) ? b : a;
  };
  const ofList = (list: readonly CelValue[]): CelValue => {
    let [best] = list;
    if (best === undefined) return celError(`${suffix}(list) argument must not be empty`);
    for (const item of list) {
      best = pair(best, item);
      if (isError(best)) return best;
    }
    return isInt(best) || doubleValue(best) !== undefined || best instanceof Uint
      ? best
      : celError(`no such overload: ${suffix}`);
  };
  const two: Implementation = (a = null, b = null) => pair(a, b);
  const overloads: Overload[] = numbers.map(([id, type]) =>
    global(`math_@${name}_${id}`, [type], type, (a = null) => a),
  );
  for (const [left, a] of numbers) {
    for (const [right, b] of numbers) {
      overloads.push(global(`math_@${name}_${left}_${right}`, [a, b], a === b ? a : types.dyn, two));
    }
  }
  for (const [id, type] of numbers) {
    overloads.push(global(`math_@${name}_list_${id}`, [listType(type)], type, unary(isListValue, ofList)));
  }
  return declare(suffix, ...overloads);
}

/** `math.least(a, b, ...)` and `math.greatest(a, b, ...)` */
function choice(name: string, target: string): Macro {
  const label = `math.${name}()`;
  return {
    name,
    argumentCount: "any",
    isMember: true,
    expand: (build, namespace, args) => {
      if (namespace?.kind !== "identifier" || namespace.name !== "math") return undefined;
      const [first] = args;
      if (first === undefined) throw new MacroError(namespace, `${label} requires at least one argument`);
      if (args.length === 1) {
        const isList =
          first.kind === "list" && first.elements.length > 0 && first.elements.every(mayBeNumber);
        if (!isList && !mayBeNumber(first))
          throw new MacroError(first, `${label} invalid single argument value`);
        return build.call(target, first);
      }
      const wrong = args.find((argument) => !mayBeNumber(argument));
      if (wrong !== undefined)
        throw new MacroError(wrong, `${label} simple literal arguments must be numeric`);
      return args.length === 2 ? build.call(target, ...args) : build.call(target, build.list(...args));
    },
  };
}

function mayBeNumber(node: Expression): boolean {
  if (node.kind === "literal") return numberOf(node.value) !== undefined;
  return node.kind !== "list" && node.kind !== "map" && node.kind !== "struct";
}
