import type { ConstantDeclaration, FunctionDeclaration, Library } from "../../environment/declarations.ts";
import { A, B, declare, global } from "../../environment/declare.ts";
import { standardMacros } from "../../syntax/macros.ts";
import { operators } from "../../syntax/operators.ts";
import { type CelType, listType, mapType, typeOfType, types } from "../../types/cel-type.ts";
import { noSuchOverload } from "../../values/cel-error.ts";
import { TypeValue } from "../../values/value.ts";
import { arithmetic } from "./arithmetic.ts";
import { comparison, crossTypeComparison } from "./comparison.ts";
import { containers } from "./containers.ts";
import { conversions } from "./conversions.ts";
import { stringTests } from "./strings.ts";
import { timeParts } from "./times.ts";

/** Operators that the evaluation itself implements, because they do not need all operands. */
const lazyOperators: readonly FunctionDeclaration[] = [
  declare(
    operators.conditional,
    global("conditional", [types.bool, A, A], A, () => noSuchOverload),
  ),
  declare(
    operators.and,
    global("logical_and", [types.bool, types.bool], types.bool, () => noSuchOverload),
  ),
  declare(
    operators.or,
    global("logical_or", [types.bool, types.bool], types.bool, () => noSuchOverload),
  ),
  declare(
    operators.notStrictlyFalse,
    global("not_strictly_false", [types.bool], types.bool, () => noSuchOverload),
  ),
  declare(
    operators.not,
    global("logical_not", [types.bool], types.bool, (value) =>
      typeof value === "boolean" ? !value : noSuchOverload,
    ),
  ),
];

/** The types that expressions can name. */
const namedTypes: readonly (readonly [name: string, type: CelType])[] = [
  ...[types.bool, types.bytes, types.double, types.int, types.null, types.string, types.uint].map(named),
  ...[types.duration, types.timestamp, types.type].map(named),
  ["list", listType(A)],
  ["map", mapType(A, B)],
];

/** A type as a constant. */
export function typeConstant([name, type]: readonly [name: string, type: CelType]): ConstantDeclaration {
  return { name, type: typeOfType(type), value: new TypeValue(type) };
}

/** The functions, macros and types of the language. */
export const standardLibrary: Library = {
  functions: [
    ...lazyOperators,
    ...comparison,
    ...arithmetic,
    ...containers,
    ...conversions,
    ...stringTests,
    ...timeParts,
  ],
  macros: standardMacros,
  constants: namedTypes.map(typeConstant),
};

/** Operators of order for numbers of different types. */
export const crossTypeLibrary: Library = { functions: crossTypeComparison };

function named(type: CelType): readonly [string, CelType] {
  return [type.name, type];
}
