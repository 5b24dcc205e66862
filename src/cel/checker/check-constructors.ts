import { candidateNames } from "../environment/environment.ts";
import type {
  Comprehension,
  Expression,
  ListLiteral,
  MapLiteral,
  StructLiteral,
} from "../syntax/expression.ts";
import { type CelType, listType, mapType, optionalType, types } from "../types/cel-type.ts";
import { formatType } from "../types/format-type.ts";
import { isDynamic, isOptional, unwrapOptional } from "../types/type-relations.ts";
import type { CheckerContext } from "./checker-context.ts";

export function checkList(checker: CheckerContext, node: ListLiteral): CelType {
  let element: CelType | undefined;
  for (const [i, item] of node.elements.entries()) {
    const type = checker.check(item);
    element = checker.join(element, node.optional.has(i) ? optionalValue(checker, item, type) : type);
  }
  return listType(element ?? checker.substitutions.fresh());
}

export function checkMap(checker: CheckerContext, node: MapLiteral): CelType {
  let key: CelType | undefined;
  let value: CelType | undefined;
  for (const entry of node.entries) {
    key = checker.join(key, checker.check(entry.key));
    const type = checker.check(entry.value);
    const own = entry.optional ? optionalValue(checker, entry.value, type) : type;
    value = checker.join(value, own);
  }
  return mapType(key ?? checker.substitutions.fresh(), value ?? checker.substitutions.fresh());
}

export function checkStruct(checker: CheckerContext, node: StructLiteral): CelType {
  const { objectTypes, constants, variables, container } = checker.environment;
  const name = candidateNames(container, node.name).find((candidate) => objectTypes.has(candidate));
  const type = name === undefined ? undefined : objectTypes.get(name);
  if (type === undefined) {
    for (const { value } of node.fields) checker.check(value);
    const constant = constants.get(node.name)?.type;
    if (constant !== undefined || variables.has(node.name)) {
      const what = constant?.kind === "type" ? "message type" : "type";
      return checker.error(node.id, `'${node.name}' is not a ${what}`);
    }
    return checker.undeclared(node.id, node.name);
  }
  for (const field of node.fields) {
    const given = checker.check(field.value);
    const declared = type.field?.(field.name) ?? checker.error(field.id, `undefined field '${field.name}'`);
    const value = field.optional ? optionalValue(checker, field.value, given) : given;
    if (checker.substitutions.assign([declared], [value])) continue;
    const [expected, actual] = [formatType(declared), formatType(value)];
    checker.error(
      field.id,
      `expected type of field '${field.name}' is '${expected}' but provided type is '${actual}'`,
    );
  }
  return type;
}

/** A loop over a range; a bind has none, and its condition is never true. */
export function checkComprehension(checker: CheckerContext, node: Comprehension): CelType {
  const range = checker.substitutions.apply(checker.check(node.range));
  const accumulatorType = checker.check(node.initial);
  const accumulator = [node.accumulator, accumulatorType] as const;
  const [first, second] = iterationTypes(checker, node, range);
  return checker.scope.within([accumulator], () => {
    const variables: (readonly [string, CelType])[] = [[node.variable, first]];
    if (node.secondVariable !== undefined) variables.push([node.secondVariable, second]);
    checker.scope.within(node.form === "bind" ? [] : variables, () => {
      assertType(checker, node.condition, types.bool);
      assertType(checker, node.step, accumulatorType);
    });
    return checker.substitutions.apply(checker.check(node.result));
  });
}

/** The types of the first variable and of the second, if there is one. */
function iterationTypes(
  checker: CheckerContext,
  node: Comprehension,
  range: CelType,
): readonly [CelType, CelType] {
  const [key = types.dyn, value = types.dyn] = range.parameters;
  switch (range.kind) {
    case "list":
      return node.secondVariable === undefined ? [key, key] : [types.int, key];
    case "map":
      return [key, value];
    case "dyn":
    case "error":
    case "param":
      checker.substitutions.assign([types.dyn], [range]);
      return [types.dyn, types.dyn];
    default:
      checker.error(
        node.range.id,
        `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      );
      return [types.error, types.error];
  }
}

function assertType(checker: CheckerContext, node: Expression, type: CelType): void {
  const actual = checker.check(node);
  if (!checker.substitutions.assign([type], [actual])) checker.mismatch(node.id, type, actual);
}

/** The type of the value in an optional element; an element that is not optional is an error. */
function optionalValue(checker: CheckerContext, node: Expression, type: CelType): CelType {
  if (!isOptional(type) && !isDynamic(type)) checker.mismatch(node.id, optionalType(type), type);
  return unwrapOptional(type);
}
