import { type CheckedExpression, typeOfNode } from "../checker/checked-expression.ts";
import type { Overload } from "../environment/declarations.ts";
import {
  add,
  type CallEstimate,
  type EstimatedNode,
  fixed,
  multiply,
  type Range,
  union,
  unknownSize,
} from "../environment/estimates.ts";
import type { Call, Comprehension, Expression, Select } from "../syntax/expression.ts";
import { operators } from "../syntax/operators.ts";
import { codePoints } from "../syntax/source.ts";
import { type CelType, types } from "../types/cel-type.ts";
import { isOptional } from "../types/type-relations.ts";
import { LocalSizes, type LocalVariable } from "./local-sizes.ts";
import type { EntrySizes, PathElement, SizeOfPath } from "./sizes.ts";

/** What cel-go charges for making values (common/cost.go). */
const creation = { list: fixed(10), map: fixed(30), struct: fixed(40) };
const one = fixed(1);
const zero = fixed(0);

/** Estimates what an expression may cost, given the sizes of values by their paths (cel-go, checker/cost.go). */
export function estimateCost(checked: CheckedExpression, sizeOfPath: SizeOfPath): Range {
  return new CostEstimator(checked, sizeOfPath).cost(checked.root);
}

class CostEstimator {
  readonly #checked: CheckedExpression;
  readonly #sizeOfPath: SizeOfPath;
  readonly #locals: LocalSizes = new LocalSizes();
  readonly #paths: Map<number, readonly PathElement[]> = new Map();
  readonly #sizes: Map<number, Range> = new Map();
  readonly #entries: Map<number, EntrySizes> = new Map();

  constructor(checked: CheckedExpression, sizeOfPath: SizeOfPath) {
    this.#checked = checked;
    this.#sizeOfPath = sizeOfPath;
  }

  cost(node: Expression): Range {
    const reference = this.#checked.references[node.id];
    if (reference?.kind === "variable" && node.kind === "select") {
      this.#paths.set(node.id, [reference.name.replace(/^\./, "")]);
      return one;
    }
    switch (node.kind) {
      case "literal":
        return zero;
      case "identifier":
        this.#paths.set(node.id, this.#locals.get(node.name)?.path ?? [node.name]);
        return one;
      case "select":
        return this.#costSelect(node);
      case "call":
        return this.#costCall(node);
      case "list":
        return this.#costList(node.elements, node);
      case "map":
        return this.#costMap(node);
      case "struct":
        return node.fields.reduce((sum, { value }) => add(sum, this.cost(value)), creation.struct);
      case "comprehension":
        return node.form === "bind" ? this.#costBind(node) : this.#costLoop(node);
    }
  }

  #costSelect(node: Select): Range {
    const operand = this.cost(node.operand);
    if (node.testOnly) {
      return this.#checked.environment.presenceTestHasCost ? add(operand, one) : operand;
    }
    this.#paths.set(node.id, [...this.#pathOf(node.operand), node.field]);
    const { kind } = this.#typeOf(node.operand);
    // Like cel-go, this does not count the fields of a value whose type is not known.
    return kind === "map" || kind === "object" || kind === "param" ? add(operand, one) : operand;
  }

  #costList(elements: readonly Expression[], node: Expression): Range {
    let sum = creation.list;
    let size: Range | undefined;
    for (const element of elements) {
      sum = add(sum, this.cost(element));
      size = joined(size, this.#sizeOrUnknown(element));
    }
    this.#entries.set(node.id, { kind: "list", key: one, value: size ?? zero });
    return sum;
  }

  #costMap(node: Extract<Expression, { kind: "map" }>): Range {
    let sum = creation.map;
    let keys: Range | undefined;
    let values: Range | undefined;
    for (const { key, value } of node.entries) {
      sum = add(add(sum, this.cost(key)), this.cost(value));
      keys = joined(keys, this.#sizeOrUnknown(key));
      values = joined(values, this.#sizeOrUnknown(value));
    }
    this.#entries.set(node.id, { kind: "map", key: keys ?? zero, value: values ?? zero });
    return sum;
  }

  #costCall(node: Call): Range {
    const reference = this.#checked.references[node.id];
    const overloads = reference?.kind === "call" ? reference.overloads : [];
    const { target } = node;
    const isMember = target !== undefined && reference?.kind === "call" && !reference.isGlobal;
    const argumentCosts = node.arguments.map((argument) => this.cost(argument));
    if (node.function === "dyn" && node.arguments[0] !== undefined) {
      this.#copySizes(node, node.arguments[0]);
      return add(argumentCosts[0] ?? zero, one);
    }
    const targetCost = isMember ? this.cost(target) : zero;
    if (overloads.length === 0) return add(argumentCosts.reduce(add, targetCost), one);
    const operands = (isMember ? [target, ...node.arguments] : node.arguments).map((operand) =>
      this.#node(operand),
    );
    const argumentCost = this.#argumentCost(node, argumentCosts);
    let cost: Range | undefined;
    let resultSize: Range | undefined;
    for (const overload of overloads) {
      const estimate = this.#estimate(node, overload, operands);
      cost = joined(cost, estimate.cost);
      const size = this.#resultSize(node, overload, estimate);
      if (size !== undefined) resultSize = joined(resultSize, size);
    }
    const size = resultSize ?? this.#sizeOf(node);
    if (size !== undefined) this.#sizes.set(node.id, size);
    return add(targetCost, add(argumentCost, cost ?? one));
  }

  /** Not all operands of some operators run. */
  #argumentCost(node: Call, costs: readonly Range[]): Range {
    const [first = zero, second = zero, third = zero] = costs;
    if (node.function === operators.and || node.function === operators.or) {
      return { min: first.min, max: first.max + second.max };
    }
    if (node.function === operators.conditional) return add(first, union(second, third));
    return costs.reduce(add, zero);
  }

  /** The cost of the call itself; operators that are not calls have none. */
  #estimate(node: Call, overload: Overload, operands: readonly EstimatedNode[]): CallEstimate {
    switch (overload.id) {
      case "logical_and":
      case "logical_or":
        return { cost: zero };
      case "conditional":
        this.#joinEntries(node, node.arguments.slice(1));
        return { cost: zero, resultSize: union(sizeAt(operands, 1), sizeAt(operands, 2)) };
      case "add_list":
        this.#joinEntries(node, node.arguments);
        return { cost: one, resultSize: add(sizeAt(operands, 0), sizeAt(operands, 1)) };
      case "add_string":
      case "add_bytes": {
        const size = add(sizeAt(operands, 0), sizeAt(operands, 1));
        return { cost: { min: Math.ceil(size.min * 0.1), max: Math.ceil(size.max * 0.1) }, resultSize: size };
      }
      default:
        return overload.estimate?.(operands) ?? { cost: one };
    }
  }

  #resultSize(node: Call, { id }: Overload, { resultSize }: CallEstimate): Range | undefined {
    const [container] = node.arguments;
    if (container === undefined || (id !== "index_list" && id !== "index_map")) return resultSize;
    this.#paths.set(node.id, [...this.#pathOf(container), id === "index_list" ? "@items" : "@values"]);
    return this.#entriesOf(container)?.value;
  }

  #costBind(node: Comprehension): Range {
    const cost = add(this.cost(node.range), this.cost(node.initial));
    const result = this.#locals.within([this.#local(node.accumulator, node.initial)], () => {
      const own = this.cost(node.result);
      this.#copySizes(node, node.result);
      return own;
    });
    return add(cost, result);
  }

  #costLoop(node: Comprehension): Range {
    const start = add(this.cost(node.range), this.cost(node.initial));
    const count = this.#sizeOrUnknown(node.range);
    return this.#locals.within([this.#local(node.accumulator, node.initial)], () => {
      const each = this.#locals.within(this.#iterationVariables(node), () => {
        const cost = add(this.cost(node.condition), this.cost(node.step));
        if (node.initial.kind !== "literal") {
          const entries = this.#entriesOf(node.step);
          if (entries !== undefined) this.#entries.set(node.id, entries);
        }
        return cost;
      });
      this.#sizes.set(node.id, node.initial.kind === "literal" ? one : count);
      return add(add(start, this.cost(node.result)), multiply(count, each));
    });
  }

  #iterationVariables(node: Comprehension): readonly LocalVariable[] {
    const path = this.#pathOf(node.range);
    const entries = this.#entriesOf(node.range);
    const isList = (entries?.kind ?? this.#typeOf(node.range).kind) === "list";
    const value: LocalVariable = {
      name: node.secondVariable ?? node.variable,
      path: extended(path, isList ? "@items" : "@values"),
      size: entries?.value,
      entries: undefined,
    };
    const key: LocalVariable = {
      name: node.variable,
      path: extended(path, isList ? "@indices" : "@keys"),
      size: entries?.key,
      entries: undefined,
    };
    if (node.secondVariable !== undefined) return [key, value];
    return [isList ? value : key];
  }

  #local(name: string, node: Expression): LocalVariable {
    return { name, path: this.#pathOf(node), size: this.#sizeOf(node), entries: this.#entriesOf(node) };
  }

  #typeOf(node: Expression): CelType {
    return typeOfNode(this.#checked, node);
  }

  #node(expression: Expression): EstimatedNode {
    const type = this.#typeOf(expression);
    return {
      expression,
      type,
      size: this.#sizeOrUnknown(expression),
      element: this.#elementOf(expression, type),
    };
  }

  #elementOf(node: Expression, type: CelType): EstimatedNode["element"] {
    const element = type.parameters.at(-1);
    if (element === undefined) return undefined;
    const path = this.#pathOf(node);
    const declared = path.length === 0 ? undefined : this.#sizeOfPath([...path, "@items"]);
    return { type: element, size: declared ?? this.#entriesOf(node)?.value ?? unknownSize };
  }

  #pathOf(node: Expression): readonly PathElement[] {
    if (node.kind === "identifier")
      return this.#locals.get(node.name)?.path ?? this.#paths.get(node.id) ?? [];
    return this.#paths.get(node.id) ?? [];
  }

  #sizeOrUnknown(node: Expression): Range {
    return this.#sizeOf(node) ?? unknownSize;
  }

  #sizeOf(node: Expression): Range | undefined {
    const known = this.#sizes.get(node.id) ?? sizeOfLiteral(node);
    if (known !== undefined) return known;
    const path = this.#pathOf(node);
    const declared = path.length === 0 || path[0]?.startsWith("@") ? undefined : this.#sizeOfPath(path);
    if (declared !== undefined) return declared;
    if (isScalar(this.#typeOf(node))) return one;
    return node.kind === "identifier" ? this.#locals.get(node.name)?.size : undefined;
  }

  #entriesOf(node: Expression): EntrySizes | undefined {
    const own = this.#entries.get(node.id);
    return own ?? (node.kind === "identifier" ? this.#locals.get(node.name)?.entries : undefined);
  }

  #joinEntries(node: Expression, [a, b]: readonly Expression[]): void {
    const left = a && this.#entriesOf(a);
    const right = b && this.#entriesOf(b);
    if (left === undefined || right === undefined) return;
    this.#entries.set(node.id, {
      kind: left.kind,
      key: union(left.key, right.key),
      value: union(left.value, right.value),
    });
  }

  #copySizes(to: Expression, from: Expression): void {
    const size = this.#sizeOf(from);
    const entries = this.#entriesOf(from);
    if (size !== undefined) this.#sizes.set(to.id, size);
    if (entries !== undefined) this.#entries.set(to.id, entries);
  }
}

function joined(a: Range | undefined, b: Range): Range {
  return a === undefined ? b : union(a, b);
}

function sizeAt(operands: readonly EstimatedNode[], index: number): Range {
  return operands[index]?.size ?? unknownSize;
}

function extended(path: readonly PathElement[], element: PathElement): readonly PathElement[] {
  return path.length === 0 ? [] : [...path, element];
}

/** The size of what is written in the expression. */
function sizeOfLiteral(node: Expression): Range | undefined {
  if (node.kind === "list") return fixed(node.elements.length);
  if (node.kind === "map") return fixed(node.entries.length);
  if (node.kind !== "literal") return undefined;
  if (typeof node.value === "string") return fixed(codePoints(node.value));
  return fixed(node.value instanceof Uint8Array ? node.value.length : 1);
}

/** Whether all values of a type have one size. */
function isScalar(type: CelType): boolean {
  if (isOptional(type)) return isScalar(type.parameters[0] ?? types.dyn);
  return ["bool", "double", "duration", "int", "timestamp", "uint"].includes(type.kind);
}
